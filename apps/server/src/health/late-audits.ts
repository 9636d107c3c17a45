import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { KeptVerdict } from '../liability/verdicts.ts';

/** What the audits are judged by. */
export interface KnownAudits {
  /** When the first of any kind was made; undefined where nothing was played yet. */
  readonly first: Date | undefined;
  readonly whole: KeptVerdict | undefined;
  readonly daily: KeptVerdict | undefined;
}

/** When they are judged, and by what: a whole one is to be made at least every so many days, 0 where none is expected. */
export interface AuditTerms {
  readonly now: Date;
  /** When this server began to look. */
  readonly startedAt: Date;
  readonly wholeEveryDays: number;
}

const DAY_MS = 86_400_000;
/** The server looks at the balances once for each day that is summed, an hour after its end: a day later that is overdue. */
export const DAILY_EVERY_MS = 2 * DAY_MS;
/** A server that has just started makes up for what is missing. */
const GRACE_MS = 3_600_000;

/** What is wrong with the audits: what the last ones found, and which is overdue. */
export function auditNotices({ first, whole, daily }: KnownAudits, terms: AuditTerms): FoundNotice[] {
  const { now, startedAt, wholeEveryDays } = terms;
  const nowMs = now.getTime();
  const notices: FoundNotice[] = [];
  // A whole audit looks at the balances too.
  const latest = [whole, daily && !(whole && whole.at > daily.at) ? daily : undefined];
  for (const verdict of latest)
    if (verdict && verdict.problems > 0) notices.push({ code: 'AUDIT_FAILED', ...saidOf(verdict) });
  const wholeFrom = whole?.at ?? first;
  if (wholeEveryDays > 0 && wholeFrom && nowMs > wholeFrom.getTime() + wholeEveryDays * DAY_MS)
    notices.push({ code: 'AUDIT_OVERDUE', about: 'npm run audit', last: whole?.at.toISOString() ?? null });
  const dailyFromMs = Math.max((daily?.at.getTime() ?? Infinity) + DAILY_EVERY_MS, startedAt.getTime() + GRACE_MS);
  if (nowMs > dailyFromMs)
    notices.push({ code: 'AUDIT_OVERDUE', about: 'the daily look at the balances', last: daily!.at.toISOString() });
  return notices;
}

/** Of which audit it is, and how much it found: what, is for the page Liability, as it names accounts. */
function saidOf({ scope, at, problems }: KeptVerdict): Omit<FoundNotice, 'code'> {
  const found = problems === 1 ? '1 problem' : `${problems} problems`;
  return {
    about: scope === 'whole' ? 'npm run audit' : 'the daily look at the balances',
    since: at.toISOString(),
    detail: `It found ${found}. The page Liability says the first.`,
  };
}
