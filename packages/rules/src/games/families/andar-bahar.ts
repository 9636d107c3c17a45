import { SUITS } from '../catalogue.ts';
import type { BetLine, CardResult, GameRules, Head, Outcome, ParsedBet, Result } from '../game-rules.ts';
import {
  MAX_BOOSTER,
  betFromKey,
  betReturn,
  chosenHead,
  isRecord,
  joinNames,
  notAResult,
  refuse,
  refuseHead,
  refuseSeries,
} from './bet-fields.ts';
import { RANKS } from '../outcome-names.ts';
import { numberText } from './single-number.ts';

const HEADS: readonly Head[] = [
  { name: 'rank', label: 'Card', payHundredths: 12_00 },
  { name: 'suit', label: 'Card type', payHundredths: 3_80 },
  { name: 'color', label: 'Color', payHundredths: 1_90 },
];

const RANK_OUTCOMES = RANKS.map((label, index): Outcome => ({ drawno: String(index + 1), label }));
const CARD_TYPES = SUITS.map(({ suit, symbol, color }): Outcome => ({ drawno: suit, label: symbol, color, suit }));
const COLORS: readonly Outcome[] = [
  { drawno: 'red', label: 'Red', color: 'red' },
  { drawno: 'black', label: 'Black', color: 'black' },
];

const OUTCOMES: Record<string, readonly Outcome[]> = { rank: RANK_OUTCOMES, suit: CARD_TYPES, color: COLORS };

function find(head: string, drawno: unknown): Outcome | undefined {
  const text = numberText(drawno);
  return OUTCOMES[head]?.find((outcome) => outcome.drawno === text);
}

function cardOf(value: unknown): { rank: Outcome; suit: Outcome; color: Outcome } | null {
  if (!isRecord(value)) return null;
  const rank = typeof value.drawno === 'string' && find('rank', value.drawno);
  const suit = find('suit', value.suit);
  const color = find('color', value.color);
  return rank && suit && color && suit.color === color.color ? { rank, suit, color } : null;
}

function drawnCard(result: Result): NonNullable<ReturnType<typeof cardOf>> {
  const card = cardOf(result);
  if (!card) throw notAResult('andarbahar');
  return card;
}

function cardResult(rank: Outcome, suit: Outcome): CardResult {
  return { drawno: rank.drawno, suit: suit.suit!, color: suit.color! };
}

function outcomeBets({ drawno }: Outcome): ReturnType<GameRules['outcomeBets']> {
  return HEADS.filter(({ name }) => find(name, drawno)).map(({ name, payHundredths }) => ({
    key: `${name}:${drawno}`,
    head: name,
    payHundredths,
  }));
}

function parseBet(line: BetLine): ParsedBet {
  const head = chosenHead(HEADS, line.head);
  if (!head) return refuseHead(HEADS);
  const refusedSeries = refuseSeries(line);
  if (refusedSeries) return refusedSeries;
  const drawno = find(head.name, line.drawno)?.drawno;
  if (!drawno) {
    const sides = OUTCOMES[head.name]!.map((outcome) => outcome.drawno);
    return refuse('drawno', `A bet on the ${head.label.toLowerCase()} names ${joinNames(sides)}.`);
  }
  return { ok: true, key: `${head.name}:${drawno}`, drawno, head: head.name, series: null, subseries: null };
}

/**
 * Draws one card of 52. Bets on rank (1 to 13, ace low), suit or color; keys `rank:13`, `suit:spade`, `color:red`.
 * Result `{drawno: '13', suit: 'spade', color: 'black'}`. Declared as `result`, `type` and `color`, all required; the
 * color must match the suit.
 */
export function andarBaharRules(): GameRules {
  return {
    family: 'andarbahar',
    outcomes: RANK_OUTCOMES,
    cardTypes: CARD_TYPES,
    colors: COLORS,
    heads: HEADS,
    choices: [
      RANK_OUTCOMES.map((rank) => [rank]),
      CARD_TYPES.map((suit) => [suit, ...COLORS.filter(({ color }) => color === suit.color)]),
    ],
    maxBooster: MAX_BOOSTER,
    returns: HEADS.map((head) => betReturn(head, 1, OUTCOMES[head.name]!.length)),
    parseBet,
    betOf: betFromKey(parseBet),
    parseResult: ({ result, color, type }) => {
      const rank = find('rank', result);
      if (!rank) return refuse('result', 'Please enter a valid result.');
      const suit = find('suit', type);
      if (!suit) return refuse('type', 'Please select a card type.');
      if (!find('color', color)) return refuse('color', 'Please select a color.');
      if (color !== suit.color) return refuse('color', `A ${suit.drawno} is ${suit.color}.`);
      return { ok: true, result: cardResult(rank, suit) };
    },
    draw: (random) => {
      const rank = RANK_OUTCOMES[random(RANK_OUTCOMES.length)]!;
      return cardResult(rank, CARD_TYPES[random(CARD_TYPES.length)]!);
    },
    outcomeBets,
    winningBets: (result) => {
      const { rank, suit, color } = drawnCard(result);
      return [rank, suit, color].flatMap(outcomeBets);
    },
    isResult: (value): value is CardResult => cardOf(value) !== null,
    resultLabel: (result) => {
      const { rank, suit, color } = drawnCard(result);
      return `${rank.label}${suit.label} ${color.drawno}`;
    },
  };
}
