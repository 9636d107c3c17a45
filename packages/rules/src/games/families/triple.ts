import type { GameRules, Head } from '../game-rules.ts';
import {
  MAX_BOOSTER,
  allDigits,
  betReturn,
  chosenHead,
  fixedDigits,
  refuse,
  refuseHead,
  refuseSeries,
} from './bet-fields.ts';
import { singleNumberRules } from './single-number.ts';

type HeadSpec = Head & {
  width: 1 | 2 | 3;
};

const HEADS: readonly HeadSpec[] = [
  { name: 'triple', label: 'Triple', payHundredths: 900_00, width: 3 },
  { name: 'double', label: 'Double', payHundredths: 90_00, width: 2 },
  { name: 'single', label: 'Single', payHundredths: 9_00, width: 1 },
];

/**
 * Draws 000-999. Bets on the number, its last two digits, or its last digit; keys `triple:123`, `double:23`,
 * `single:3`.
 */
export function tripleRules(): GameRules {
  return singleNumberRules({
    family: 'triple',
    outcomes: allDigits(3).map((drawno) => ({ drawno, label: drawno })),
    heads: HEADS.map(({ name, label, payHundredths }) => ({ name, label, payHundredths })),
    width: 3,
    maxBooster: MAX_BOOSTER,
    returns: HEADS.map((head) => betReturn(head, 1, 10 ** head.width)),
    outcomeBets: ({ drawno }) =>
      HEADS.map(({ name, payHundredths, width }) => ({
        key: `${name}:${drawno.slice(-width)}`,
        head: name,
        payHundredths,
      })),
    parseBet: (line) => {
      const head = chosenHead(HEADS, line.head);
      if (!head) return refuseHead(HEADS);
      const refusedSeries = refuseSeries(line);
      if (refusedSeries) return refusedSeries;
      const { name, label, width } = head;
      const drawno = fixedDigits(line.drawno, width);
      if (drawno === null) return refuse('drawno', `A ${label} bet names ${width} digit${width > 1 ? 's' : ''}.`);
      return { ok: true, key: `${name}:${drawno}`, drawno, head: name, series: null, subseries: null };
    },
  });
}
