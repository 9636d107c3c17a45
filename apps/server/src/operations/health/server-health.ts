import { pointsText } from '@drawhouse/contract/core/primitives';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { ClockStep } from '../../platform/time/clock.ts';
import { readUnreadSlots, type UnreadSlot } from '../../platform/db/connection/read-cluster.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { sumWaiting, type WaitingCredit } from '../../credit/across/messages.ts';
import { type LongestWaits, oldestDue } from '../../draws/schedule/due-draws.sql.ts';
import { findNegativeNetworks, type NegativeNetwork, opensNoDraw } from '../../liability/negative-networks.ts';
import { firstVerdictAt, lastVerdicts, type StoredVerdict } from '../../liability/verdicts.ts';
import type { Services } from '../../platform/services.ts';
import { diskNotices, type ReadDisk, readDisks, roomText } from '../../platform/disks.ts';
import { NOTICE_DETAILS } from '../notices/notices-texts.ts';

export interface HealthSources {
  readonly folders: Readonly<Record<string, string>>;
  readonly readDisk?: ReadDisk;
  readonly lastClockStep: () => ClockStep | undefined;
  readonly auditEveryDays: number;
}

export interface Health {
  look(): Promise<void>;
  notices(): readonly FoundNotice[];
}

export function createHealth({ db, clock }: Pick<Services, 'db' | 'clock'>, sources: HealthSources): Health {
  const { folders, readDisk, lastClockStep, auditEveryDays } = sources;
  const startedAt = clock.now();
  const lateOf = createLateWatch();
  const restartsOf = createRestartWatch();
  let standing: readonly FoundNotice[] = [];
  return {
    notices: () => standing,
    async look() {
      const now = clock.now();
      const verdicts = { ...(await lastVerdicts(db)), first: await firstVerdictAt(db) };
      standing = [
        ...lateOf(await oldestDue(db, now), now),
        ...diskNotices(await readDisks(folders, readDisk)),
        ...auditNotices(verdicts, { now, startedAt, fullEveryDays: auditEveryDays }),
        ...tableNotices(await findNegativeNetworks(db, 'all')),
        ...clockNotices(lastClockStep(), now),
        ...(await restartsOf(db, now)),
        ...slotNotices(await readUnreadSlots(db)),
        ...creditNotices(await sumWaiting(db, now)),
      ];
    },
  };
}

export function tableNotices(networks: readonly NegativeNetwork[]): FoundNotice[] {
  return networks.map((network) => ({
    code: 'TABLE_BELOW_ZERO',
    about: network.username,
    detail: NOTICE_DETAILS.tables(tablesText(network), opensNoDraw(network)),
  }));
}

/** Lowest first: `Fun Target Bingo is at −80.00.` */
function tablesText({ tables }: Pick<NegativeNetwork, 'tables'>): string {
  const [first] = tables;
  const others = tables.length - 1;
  const more = others === 0 ? '' : NOTICE_DETAILS.others(others);
  return NOTICE_DETAILS.tableAt(first!.gameName, pointsText(first!.balance), more);
}

const DRAW_LATE_MS = 15_000;
/** Large draws have many payments. */
const PAYMENT_LATE_MS = 60_000;
const SECOND_MS = 1_000;

/** A start has much to catch up, so only two late checks in a row count. */
export function createLateWatch(): (waits: LongestWaits, now: Date) => FoundNotice[] {
  let wasLate: ReadonlySet<string> = new Set();
  return (waits, now) => {
    const found = lateNotices(waits, now);
    const before = wasLate;
    wasLate = new Set(found.map(({ code }) => code));
    return found.filter(({ code }) => before.has(code));
  };
}

export function lateNotices({ draw, payment }: LongestWaits, now: Date): FoundNotice[] {
  const lateMs = (since: Date | null): number => (since ? now.getTime() - since.getTime() : 0);
  return [
    ...(lateMs(draw) > DRAW_LATE_MS ? [late('DRAWS_LATE', lateMs(draw))] : []),
    ...(lateMs(payment) > PAYMENT_LATE_MS ? [late('SETTLEMENT_LATE', lateMs(payment))] : []),
  ];
}

function late(code: FoundNotice['code'], byMs: number): FoundNotice {
  return { code, detail: NOTICE_DETAILS.longestDelay(Math.round(byMs / SECOND_MS)) };
}

/** Events stay for a day, so the morning shift sees the night. */
const RECENT_MS = 86_400_000;

const isRecent = (at: Date, now: Date): boolean => Math.abs(now.getTime() - at.getTime()) < RECENT_MS;

export function clockNotices(step: ClockStep | undefined, now: Date): FoundNotice[] {
  if (!step || !isRecent(step.at, now)) return [];
  const by = `${Math.round(Math.abs(step.byMs) / SECOND_MS)} seconds`;
  const way = step.byMs < 0 ? NOTICE_DETAILS.clockBack(by) : NOTICE_DETAILS.clockForward(by);
  return [{ code: 'CLOCK_STEPPED', since: step.at.toISOString(), detail: way }];
}

export function slotNotices(slots: readonly UnreadSlot[]): FoundNotice[] {
  return slots.map(({ name, keptBytes }) => ({
    code: 'SLOT_UNREAD',
    about: name,
    detail: NOTICE_DETAILS.slotKeeps(roomText(keptBytes)),
  }));
}

export function creditNotices(waiting: readonly WaitingCredit[]): FoundNotice[] {
  return waiting.map(({ cell, since, amount, failure }) => ({
    code: 'CREDIT_WAITS',
    about: cell,
    since: since.toISOString(),
    detail: NOTICE_DETAILS.creditWaits(pointsText(amount), failure),
  }));
}

interface Postmaster {
  readonly at: Date;
  /** `host:port`, empty for a Unix socket. */
  readonly place: string;
}

/** A failover leads to another postmaster, which may have started long ago. */
export function createRestartWatch(): (on: Queryable, now: Date) => Promise<FoundNotice[]> {
  let last: Postmaster | undefined;
  let change: { readonly at: Date; readonly detail: string } | undefined;
  return async (on, now) => {
    const [row] = await on.query<Postmaster>(
      sql`select pg_postmaster_start_time() as at, coalesce(host(inet_server_addr()) || ':' || inet_server_port(), '') as place`,
    );
    const { at, place } = row!;
    if (last && last.at.getTime() !== at.getTime())
      change =
        last.place === place
          ? { at, detail: NOTICE_DETAILS.databaseRestarted }
          : { at: now, detail: `${place} took over from ${last.place}.` };
    last = row!;
    if (!change || !isRecent(change.at, now)) return [];
    return [{ code: 'DATABASE_RESTARTED', since: change.at.toISOString(), detail: change.detail }];
  };
}

interface AuditTimes {
  readonly first: Date | undefined;
  readonly whole: StoredVerdict | undefined;
  readonly daily: StoredVerdict | undefined;
}

/** `fullEveryDays`: maximum age of a whole audit; 0 if none is expected. */
interface AuditTerms {
  readonly now: Date;
  readonly startedAt: Date;
  readonly fullEveryDays: number;
}

const DAY_MS = 86_400_000;
/** Daily, an hour after the day ends; overdue after one more day. */
export const DAILY_EVERY_MS = 2 * DAY_MS;
/** Time for a new server to catch up. */
const GRACE_MS = 3_600_000;

export function auditNotices({ first, whole, daily }: AuditTimes, terms: AuditTerms): FoundNotice[] {
  const { now, startedAt, fullEveryDays } = terms;
  const nowMs = now.getTime();
  const notices: FoundNotice[] = [];
  // A whole audit covers balances too.
  const latest = [whole, daily && !(whole && whole.at > daily.at) ? daily : undefined];
  for (const verdict of latest)
    if (verdict && verdict.problems > 0) notices.push({ code: 'AUDIT_FAILED', ...noticeOf(verdict) });
  const fullFrom = whole?.at ?? first;
  if (fullEveryDays > 0 && fullFrom && nowMs > fullFrom.getTime() + fullEveryDays * DAY_MS)
    notices.push({ code: 'AUDIT_OVERDUE', about: 'npm run audit', last: whole?.at.toISOString() ?? null });
  const dailyFromMs = Math.max((daily?.at.getTime() ?? Infinity) + DAILY_EVERY_MS, startedAt.getTime() + GRACE_MS);
  if (nowMs > dailyFromMs)
    notices.push({ code: 'AUDIT_OVERDUE', about: 'the daily balance check', last: daily!.at.toISOString() });
  return notices;
}

/** Only a count: details name accounts and belong on the Liability page. */
function noticeOf({ scope, at, problems }: StoredVerdict): Omit<FoundNotice, 'code'> {
  const found = problems === 1 ? '1 problem' : `${problems} problems`;
  return {
    about: scope === 'whole' ? 'npm run audit' : 'the daily balance check',
    since: at.toISOString(),
    detail: NOTICE_DETAILS.auditFound(found),
  };
}
