import type { GameRules, NumberResult, Outcome, Result } from '../game-rules.ts';
import { betFromKey, fixedDigits, isRecord, notAResult, refuse } from './parts.ts';

type SingleNumberSpec = Pick<
  GameRules,
  'family' | 'outcomes' | 'heads' | 'maxBooster' | 'returns' | 'parseBet' | 'outcomeBets'
> & {
  /** Digits of every draw number, where all have the same: a declared integer is padded to it. */
  width?: number;
  /** What the panel says when nothing was chosen (spec section 5). */
  emptyMessage?: string;
};

/** The rules of a game whose result is one of its outcomes, `{drawno}`: whatever follows from the outcomes and their bets. */
export function singleNumberRules(spec: SingleNumberSpec): GameRules {
  const { width, emptyMessage = 'Please enter a valid result.', ...rules } = spec;
  const { outcomes } = rules;
  const byDrawno = new Map(outcomes.map((outcome) => [outcome.drawno, outcome]));

  const drawnOutcome = (result: Result): Outcome => {
    const outcome = 'drawno' in result ? byDrawno.get(result.drawno) : undefined;
    if (!outcome) throw notAResult(rules.family);
    return outcome;
  };

  return {
    ...rules,
    betOf: betFromKey(rules.parseBet),
    choices: [outcomes.map((outcome) => [outcome])],
    parseResult: ({ result }) => {
      const drawno = width ? fixedDigits(result, width) : numberText(result);
      if (drawno === null || !byDrawno.has(drawno)) return refuse('result', emptyMessage);
      return { ok: true, result: { drawno } };
    },
    draw: (random) => ({ drawno: outcomes[random(outcomes.length)]!.drawno }),
    winningBets: (result) => rules.outcomeBets(drawnOutcome(result)),
    isResult: (value): value is NumberResult =>
      isRecord(value) && typeof value.drawno === 'string' && byDrawno.has(value.drawno),
    resultLabel: (result) => {
      const { drawno, label } = drawnOutcome(result);
      return label === drawno ? drawno : `${drawno} ${label}`;
    },
  };
}

/** The text of a draw number that has no fixed width, or null when the value is neither text nor number. */
export function numberText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
