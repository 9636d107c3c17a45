import type { GameRules, Head, Outcome } from '../game-rules.ts';
import { MAX_BOOSTER, betReturn, chosenHead, refuse, refuseHead, refuseSeries } from './parts.ts';
import { numberText, singleNumberRules } from './single-number.ts';

/** Games where the only bet is on one outcome: numbers and roulette. The bet key is the draw number: `7`, `00`. */
export function plainBetRules(spec: Pick<GameRules, 'family' | 'outcomes'> & { head: Head }): GameRules {
  const { family, outcomes, head } = spec;
  const drawnos = new Set(outcomes.map((outcome) => outcome.drawno));
  const heads = [head];

  return singleNumberRules({
    family,
    outcomes,
    heads,
    maxBooster: MAX_BOOSTER,
    returns: [betReturn(head, 1, outcomes.length)],
    outcomeBets: ({ drawno }: Outcome) => [{ key: drawno, head: head.name, payHundredths: head.payHundredths }],
    parseBet: (line) => {
      if (!chosenHead(heads, line.head)) return refuseHead(heads);
      const refusedSeries = refuseSeries(line);
      if (refusedSeries) return refusedSeries;
      const drawno = numberText(line.drawno);
      if (drawno === null || !drawnos.has(drawno)) {
        return refuse('drawno', `The draw number must be from ${outcomes[0]!.drawno} to ${outcomes.at(-1)!.drawno}.`);
      }
      return { ok: true, key: drawno, drawno, head: head.name, series: null, subseries: null };
    },
  });
}
