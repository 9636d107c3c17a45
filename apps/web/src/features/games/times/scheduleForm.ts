import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';
import {
  planOf,
  scheduleFields,
  VOID_AFTER_HOURS,
  type AheadDraw,
  type Schedule,
  type addSchedule,
} from '@drawhouse/contract/games/schedules';
import type { RouteInput } from '@drawhouse/contract/core/route';
import type { DrawTimes } from '@drawhouse/rules/time/clock-slots';
import { comingDraws } from '@drawhouse/rules/time/schedule';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';

export interface ScheduleForm {
  name: string;
  times: string;
  weekdays: string[];
  daysOff: string;
  daysOn: string;
  opensAt: string;
  closesBefore: string;
  /** Per line a clock time and the name of the lottery. */
  sources: string;
  voidAfter: string;
  games: string[];
}

export const NEW_SCHEDULE: ScheduleForm = {
  name: '',
  times: '',
  weekdays: ['0', '1', '2', '3', '4', '5', '6'],
  daysOff: '',
  daysOn: '',
  opensAt: '',
  closesBefore: '0',
  sources: '',
  voidAfter: String(VOID_AFTER_HOURS.usual),
  games: [],
};

export function formOf({ name, games, ...plan }: Schedule): ScheduleForm {
  return {
    name,
    times: plan.times.join(', '),
    weekdays: plan.weekdays.map(String),
    daysOff: plan.daysOff.join(', '),
    daysOn: plan.daysOn.join(', '),
    opensAt: plan.opensAt ?? '',
    closesBefore: String(plan.closesBefore),
    sources: sourcesText(plan.sources),
    voidAfter: String(plan.voidAfter),
    games: games.map(({ _id }) => _id),
  };
}

export function readWords(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}

/** Reads `9:00` and `9.00` as `09:00`; other words stay for the check to refuse. */
export function readClock(word: string): string {
  return word.replace(
    /^(\d{1,2})[:.](\d\d)$/,
    (_all, hour: string, minute: string) => `${hour.padStart(2, '0')}:${minute}`,
  );
}

/** Reads `19:00 National`, one per line. Lines without a time stay for the check to refuse. */
function readSources(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, clock = '', name = ''] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
      return [readClock(clock), name.trim()];
    }),
  );
}

function sourcesText(sources: Readonly<Record<string, string>>): string {
  const lines = Object.entries(sources).map(([clock, source]) => `${clock} ${source}`);
  return lines.toSorted((a, b) => (a < b ? -1 : 1)).join('\n');
}

/** Sends outside lotteries only if they changed, since they need the password. */
export function readChange(form: ScheduleForm, before: Schedule): RouteInput<typeof addSchedule>['body'] {
  const { sources, voidAfter, ...rest } = readSchedule(form);
  const isSame = sourcesText(sources ?? {}) === sourcesText(before.sources);
  return { ...rest, ...(!isSame && { sources }), ...(voidAfter !== before.voidAfter && { voidAfter }) };
}

export function readSchedule(form: ScheduleForm): RouteInput<typeof addSchedule>['body'] {
  const minutes = form.closesBefore.trim();
  return {
    name: form.name,
    times: readWords(form.times).map(readClock),
    weekdays: form.weekdays.map(Number),
    daysOff: readWords(form.daysOff),
    daysOn: readWords(form.daysOn),
    opensAt: form.opensAt.trim() === '' ? null : readClock(form.opensAt.trim()),
    closesBefore: /^\d{1,4}$/.test(minutes) ? Number(minutes) : Number.NaN,
    sources: readSources(form.sources),
    voidAfter: /^\d{1,3}$/.test(form.voidAfter.trim()) ? Number(form.voidAfter) : Number.NaN,
    games: form.games,
  };
}

export function scheduleErrors(form: ScheduleForm): Record<string, string> {
  const read = readSchedule(form);
  const errors = schemaErrors(scheduleFields, read);
  const noDraw = Object.keys(read.sources ?? {}).find((clock) => !read.times.includes(clock));
  return noDraw === undefined ? errors : { sources: GAME_FIELD_TEXTS.sourceWithoutDraw(noDraw), ...errors };
}

const PREVIEWED = 20;

/** Draws opened for tickets take place at their times: names their games where the draw would run into them. */
export function gamesAhead(draw: DrawTimes, ahead: readonly AheadDraw[], games: readonly string[]): string[] {
  const runsInto = ({ gameId, opensAt, drawsAt }: AheadDraw) =>
    games.includes(gameId) && new Date(opensAt) < draw.drawsAt && draw.drawsAt < new Date(drawsAt);
  return [...new Set(ahead.filter(runsInto).map(({ gameName }) => gameName))];
}

export function previewOf(form: ScheduleForm, timeZone: string, now: Date): readonly DrawTimes[] | null {
  const read = scheduleFields.safeParse({ ...readSchedule(form), name: 'Preview' });
  if (!read.success) return null;
  const cadence = { seconds: 0, schedule: planOf(read.data), closures: null, timeZone };
  return comingDraws(now, cadence, null, PREVIEWED);
}
