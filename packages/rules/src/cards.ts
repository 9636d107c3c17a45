/** Colours of outcomes, as the panels know them. */
export type Color = 'red' | 'black' | 'green';

/** Suits of a French deck; the panels call a suit the card's type. */
export type Suit = 'spade' | 'heart' | 'diamond' | 'club';

/** The four suits in the order of the card tiles, with symbol and colour. */
export const SUITS: readonly { suit: Suit; symbol: string; color: Color }[] = [
  { suit: 'spade', symbol: '♠', color: 'black' },
  { suit: 'heart', symbol: '♥', color: 'red' },
  { suit: 'diamond', symbol: '♦', color: 'red' },
  { suit: 'club', symbol: '♣', color: 'black' },
];

/** Labels (`K♠`) and colours of the cards with the given ranks: one row per rank, the four suits side by side. */
export function cardFaces(ranks: readonly string[]): { labels: readonly string[]; colors: readonly Color[] } {
  const cards = ranks.flatMap((rank) => SUITS.map(({ symbol, color }) => ({ label: rank + symbol, color })));
  return { labels: cards.map((card) => card.label), colors: cards.map((card) => card.color) };
}
