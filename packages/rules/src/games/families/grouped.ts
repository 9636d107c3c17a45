import type { BetLine, GameRules, GroupResult, Outcome, Result } from '../game-rules.ts';
import { betFromKey, isRecord, notAResult, refuse } from './bet-fields.ts';

type GroupedSpec = Pick<
  GameRules,
  'family' | 'outcomes' | 'heads' | 'maxBooster' | 'returns' | 'parseBet' | 'outcomeBets'
> & {
  groupBy: 'series' | 'subseries';
  declaredLines: (list: readonly unknown[]) => BetLine[] | null;
  winnerLabel: (outcome: Outcome) => string;
};

const LABELLED_WINNERS = 3;

/**
 * One winner per group: result `{winners: {group: drawno}}`. Drawn results fill every group; declared ones may leave
 * groups without a winner.
 */
export function groupedRules(spec: GroupedSpec): GameRules {
  const { groupBy, declaredLines, winnerLabel, ...rules } = spec;
  const groups = Map.groupBy(rules.outcomes, (outcome) => outcome[groupBy]!);
  const byNumber = new Map(
    [...groups].map(([group, outcomes]) => [group, new Map(outcomes.map((outcome) => [outcome.drawno, outcome]))]),
  );

  const winnersOf = (value: unknown): Outcome[] | null => {
    if (!isRecord(value) || !isRecord(value.winners)) return null;
    const { winners } = value;
    const named = Object.keys(winners).length;
    const found = [...byNumber].flatMap(([group, numbers]) => {
      const winner = Object.hasOwn(winners, group) ? numbers.get(winners[group] as string) : undefined;
      return winner ? [winner] : [];
    });
    return named > 0 && found.length === named ? found : null;
  };

  const drawnOutcomes = (result: Result): Outcome[] => {
    const winners = winnersOf(result);
    if (!winners) throw notAResult(rules.family);
    return winners;
  };

  return {
    ...rules,
    betOf: betFromKey(rules.parseBet),
    choices: [...groups.values()].map((outcomes) => outcomes.map((outcome) => [outcome])),
    parseResult: ({ result }) => {
      const list = typeof result === 'string' ? parsedJson(result) : result;
      const lines = Array.isArray(list) ? declaredLines(list) : null;
      if (!lines || lines.length === 0) return refuse('result', 'Please select at least one result.');
      const winners: Record<string, string> = {};
      for (const line of lines) {
        const bet = rules.parseBet(line);
        if (!bet.ok) return refuse('result', bet.message);
        const group = bet[groupBy]!;
        if (Object.hasOwn(winners, group)) return refuse('result', `There are two results for ${group}.`);
        winners[group] = bet.drawno;
      }
      return { ok: true, result: { winners } };
    },
    draw: (random) => {
      const winners: Record<string, string> = {};
      for (const [group, outcomes] of groups) winners[group] = outcomes[random(outcomes.length)]!.drawno;
      return { winners };
    },
    winningBets: (result) => drawnOutcomes(result).flatMap(rules.outcomeBets),
    isResult: (value): value is GroupResult => winnersOf(value) !== null,
    resultLabel: (result) => {
      const winners = drawnOutcomes(result);
      const more = winners.length - LABELLED_WINNERS;
      const shown = winners.slice(0, LABELLED_WINNERS).map(winnerLabel).join(', ');
      return more > 0 ? `${shown} + ${more} more` : shown;
    },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
