export type Color = 'red' | 'black' | 'green';

/** Panels call a suit the card's type. */
export type Suit = 'spade' | 'heart' | 'diamond' | 'club';

export const SUITS: readonly { suit: Suit; symbol: string; color: Color }[] = [
  { suit: 'spade', symbol: '♠', color: 'black' },
  { suit: 'heart', symbol: '♥', color: 'red' },
  { suit: 'diamond', symbol: '♦', color: 'red' },
  { suit: 'club', symbol: '♣', color: 'black' },
];

/** Labels (`K♠`) and colors, one row per rank with four suits. */
export function cardFaces(ranks: readonly string[]): { labels: readonly string[]; colors: readonly Color[] } {
  const cards = ranks.flatMap((rank) => SUITS.map(({ symbol, color }) => ({ label: rank + symbol, color })));
  return { labels: cards.map((card) => card.label), colors: cards.map((card) => card.color) };
}
