import {
  makeStandingOrder,
  type FloorMeasure,
  type StandingOrderKind,
} from '@drawhouse/contract/standing-orders/standing-orders';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { clockSlotAfter } from '@drawhouse/rules/time/clock-slots';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { addPoints, parsePoints } from '../../lib/format/format.ts';
import { standingOrderTexts as texts } from './standingOrderTexts.ts';

export interface StandingOrderForm {
  kind: StandingOrderKind;
  sum: string;
  takeBackAt: string;
  clock: string;
  weekdays: string[];
  measure: FloorMeasure;
  password: string;
}

export const NEW_ORDER: StandingOrderForm = {
  kind: 'temporary',
  sum: '',
  takeBackAt: '',
  clock: '06:00',
  weekdays: ['0', '1', '2', '3', '4', '5', '6'],
  measure: 'credit',
  password: '',
};

type Body = NonNullable<RouteInput<typeof makeStandingOrder>['body']>;

/** `takeBackAt` is in the browser's time zone; clock times are the server's. */
export function bodyOf(accountId: string, { kind, sum, password, ...form }: StandingOrderForm): Body {
  const shared = { accountId, kind, sum: parsePoints(sum) ?? Number.NaN, password };
  if (kind === 'floor') return { ...shared, measure: form.measure };
  if (kind === 'refill') return { ...shared, clock: form.clock, weekdays: form.weekdays.map(Number) };
  const at = new Date(form.takeBackAt);
  return { ...shared, takeBackAt: Number.isNaN(at.getTime()) ? '' : at.toISOString() };
}

export function orderErrors(accountId: string, form: StandingOrderForm): Record<string, string> {
  const errors = schemaErrors(makeStandingOrder.body!, bodyOf(accountId, form));
  return form.kind === 'refill' && form.weekdays.length === 0 ? { ...errors, weekdays: texts.noDays } : errors;
}

/** In points. */
export interface Balances {
  readonly username: string;
  readonly credit: number;
  /** Debt in this week; undefined while unknown. */
  readonly owed: number | undefined;
  readonly own: number;
}

export function previewOf(form: StandingOrderForm, balances: Balances, now: Date, timeZone: string): string[] | null {
  const { credit, own, username } = balances;
  const sum = parsePoints(form.sum);
  if (!sum) return null;
  if (form.kind === 'temporary') {
    const at = new Date(form.takeBackAt);
    if (Number.isNaN(at.getTime()) || at <= now) return null;
    return [
      texts.gives(username, sum, addPoints(credit, sum), addPoints(own, -sum)),
      texts.takesBack(at.toISOString(), sum),
    ];
  }
  if (form.kind === 'floor') {
    const value = form.measure === 'credit' ? credit : balances.owed;
    if (value === undefined) return null;
    const stops = form.measure === 'credit' ? value < sum : value > sum;
    return [stops ? texts.stopsNow(value) : texts.sellsNow(value), texts.floorNext];
  }
  const plan = { weekdays: form.weekdays.map(Number), daysOff: [], daysOn: [], opensAt: null, closesBefore: 0 };
  const slot = /^\d\d:\d\d$/.test(form.clock) && clockSlotAfter(now, { ...plan, times: [form.clock] }, timeZone);
  if (!slot) return null;
  const missing = Math.max(0, addPoints(sum, -credit));
  const lines = [texts.nothingNow, texts.refills(slot.drawsAt.toISOString(), missing, sum)];
  return missing > own ? [...lines, texts.lacks(own)] : lines;
}
