import { closureFields } from '@drawhouse/contract/games/schedules';
import type { GameClosures } from '@drawhouse/contract/games/schedules';
import type { Closures } from '@drawhouse/rules/time/clock-slots';
import { comingDraws } from '@drawhouse/rules/time/schedule';
import { readClock, readWords } from '../times/scheduleForm.ts';
import { cellName } from './rowForm.ts';
import type { CellTexts } from './rowForm.ts';
import { closureTexts } from '../gameTexts.ts';

export type ClosureField = 'daysText' | 'hoursText';

/** `daysText` and `hoursText` as typed. */
export type ClosureRow = GameClosures & { readonly [F in ClosureField]: string };

export function closureRow(game: GameClosures): ClosureRow {
  return {
    ...game,
    daysText: game.days.join(', '),
    hoursText: game.hours.map(({ from, to }) => `${from}-${to}`).join(', '),
  };
}

function readHours(text: string): { from: string; to: string }[] {
  return text
    .replaceAll(/\s*(?:-|–|to)\s*/g, '-')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const [from = '', to = '', ...more] = word.split('-');
      return { from: readClock(from), to: more.length > 0 ? '' : readClock(to) };
    });
}

/** Undefined if invalid. */
function readClosures(daysText: string, hoursText: string): Closures | undefined {
  const days = closureFields.days.safeParse(readWords(daysText));
  const hours = closureFields.hours.safeParse(readHours(hoursText));
  return days.success && hours.success ? { days: days.data, hours: hours.data } : undefined;
}

export function closureProblem(text: string, _row: ClosureRow, field: ClosureField): string | null {
  if (field === 'daysText') return readClosures(text, '') ? null : closureTexts.wrongDays;
  return readClosures('', text) ? null : closureTexts.wrongHours;
}

function typedClosures(row: ClosureRow, typed: CellTexts): Closures | undefined {
  const text = (field: ClosureField): string => typed[cellName(row.id, field)] ?? '';
  return readClosures(text('daysText'), text('hoursText'));
}

export function closureUpdates(
  changed: readonly ClosureRow[],
  typed: CellTexts,
): { id: string; days: string[]; hours: { from: string; to: string }[] }[] {
  return changed.map((row) => {
    const { days, hours } = typedClosures(row, typed) ?? row;
    return { id: row.id, days: [...days], hours: [...hours] };
  });
}

const SHOWN = 3;

/** Null while the typed text is invalid. */
export function nextDraws(row: ClosureRow, typed: CellTexts, timeZone: string, now: Date): Date[] | null {
  const closures = typedClosures(row, typed);
  if (!closures) return null;
  const cadence = { seconds: row.seconds, schedule: row.schedule, closures, timeZone };
  return comingDraws(now, cadence, null, SHOWN).map(({ drawsAt }) => drawsAt);
}
