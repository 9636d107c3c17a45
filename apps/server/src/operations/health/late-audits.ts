import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { StoredVerdict } from '../../liability/verdicts.ts';
import { NOTICE_DETAILS } from '../notices/notices-texts.ts';

export interface AuditTimes {
  readonly first: Date | undefined;
  readonly whole: StoredVerdict | undefined;
  readonly daily: StoredVerdict | undefined;
}

/** `fullEveryDays`: maximum age of a whole audit; 0 if none is expected. */
export interface AuditTerms {
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
