import type { FamilyName } from './catalogue.ts';
import { wheelBets } from './families/roulette.ts';
import { GAME_TEXTS, gameFacts, type GameTexts } from './game-texts.ts';
import type { Bet, GameRules, Outcome, Result } from './game-rules.ts';
import { paidBy } from './wins.ts';

export type ExplainedBet = {
  readonly head: string;
  readonly hint: string;
  readonly wins: string;
  readonly example: Bet;
  readonly won: Result;
  /** Null if every result wins. */
  readonly lost: Result | null;
};

/** Draw numbers that the texts name, by head. Others use the first outcome; on a wheel, the first bet without zero. */
const EXAMPLES: Partial<Record<FamilyName, Readonly<Record<string, string>>>> = {
  triple: { triple: '123', double: '23', single: '3' },
  andarbahar: { rank: '13', suit: 'spade', color: 'red' },
  lottery3d: { straight: '123', spbox: '123', dpbox: '112', ap: '12', fp: '12', bp: '12', sp: '12' },
  lottery4d: { number: '1042' },
  jodi: { andhar: '4', bahar: '2', jodi: '42' },
};

const EXAMPLE_SERIES = 'K60GOLD';

export function explainedBets(rules: GameRules, texts: GameTexts = GAME_TEXTS): ExplainedBet[] {
  const facts = gameFacts(rules);
  return rules.heads.map(({ name }) => {
    const example = exampleBet(rules, name);
    const { won, lost } = exampleResults(rules, example.key);
    return { head: name, ...texts[rules.family].bets[name]!(facts), example, won, lost };
  });
}

function exampleBet(rules: GameRules, head: string): Bet {
  const onWheel = wheelBets(rules).find(
    (bet) => bet.kind === head && bet.numbers.every((number) => Number(number) > 0),
  );
  const drawno = onWheel?.drawno ?? EXAMPLES[rules.family]?.[head] ?? rules.outcomes[0]!.drawno;
  const series = rules.family === 'jodi' ? EXAMPLE_SERIES : null;
  const bet = rules.parseBet({ head, drawno, series });
  if (!bet.ok) throw new RangeError(bet.message);
  const { ok: _, ...found } = bet;
  return found;
}

/** Takes the last winning result, so that a box shows its digits in another order, and the next losing one. */
function exampleResults(rules: GameRules, key: string): { won: Result; lost: Result | null } {
  const results = everyResult(rules);
  const isWon = (result: Result): boolean => rules.winningBets(result).some((bet) => bet.key === key);
  return { won: results.findLast(isWon)!, lost: results.findLast((result) => !isWon(result)) ?? null };
}

/** For cards, includes every card. For grouped games, the results of one group. */
function everyResult(rules: GameRules): Result[] {
  const { family, outcomes, cardTypes = [] } = rules;
  const group = ({ series, subseries }: Outcome): string => subseries ?? series!;
  if (family === 'lottery4d' || family === 'jodi')
    return outcomes
      .filter((outcome) =>
        family === 'lottery4d' ? group(outcome) === group(outcomes[0]!) : group(outcome) === EXAMPLE_SERIES,
      )
      .map((outcome) => ({ winners: { [group(outcome)]: outcome.drawno } }));
  if (family === 'andarbahar')
    return outcomes.flatMap(({ drawno }) =>
      cardTypes.map(({ suit, color }) => ({ drawno, suit: suit!, color: color! })),
    );
  return outcomes.map(({ drawno }) => ({ drawno }));
}

/** Uses the code that settles draws. Returns hundredths. */
export function examplePay(rules: GameRules, { example }: ExplainedBet, result: Result, stake: bigint): bigint {
  return paidBy(rules, (key) => (key === example.key ? stake : 0n), result, 1);
}
