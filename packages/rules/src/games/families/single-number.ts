import type { GameRules, NumberResult, Outcome, Result } from '../game-rules.ts';
import { betFromKey, fixedDigits, isRecord, notAResult, refuse } from './bet-fields.ts';

type SingleNumberSpec = Pick<
  GameRules,
  'family' | 'outcomes' | 'heads' | 'maxBooster' | 'returns' | 'parseBet' | 'outcomeBets'
> & {
  /** Fixed number of digits. Declared integers are padded. */
  width?: number;
  /** Shown for an empty choice (docs/spec/game-operations.md §5). */
  emptyMessage?: string;
};

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

export function numberText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
