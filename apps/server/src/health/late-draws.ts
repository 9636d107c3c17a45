import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { LongestWaits } from '../draws/due-draws.sql.ts';

/** So long after its time a closing or a result is late, and a payment, of which a large draw has many. */
const DRAW_LATE_MS = 15_000;
const PAYMENT_LATE_MS = 60_000;
const SECOND_MS = 1_000;

/** Judges what waits: late is what was so at the look before, too, as after a start much is due that is done at once. */
export function createLateWatch(): (waits: LongestWaits, now: Date) => FoundNotice[] {
  let wasLate: ReadonlySet<string> = new Set();
  return ({ draw, payment }, now) => {
    const lateMs = (since: Date | null): number => (since ? now.getTime() - since.getTime() : 0);
    const found: FoundNotice[] = [
      ...(lateMs(draw) > DRAW_LATE_MS ? [late('DRAWS_LATE', lateMs(draw))] : []),
      ...(lateMs(payment) > PAYMENT_LATE_MS ? [late('SETTLEMENT_LATE', lateMs(payment))] : []),
    ];
    const before = wasLate;
    wasLate = new Set(found.map(({ code }) => code));
    return found.filter(({ code }) => before.has(code));
  };
}

function late(code: FoundNotice['code'], byMs: number): FoundNotice {
  return { code, detail: `What has waited longest is ${Math.round(byMs / SECOND_MS)} seconds late.` };
}
