import { DAILY_EVERY_MS } from '../health/late-audits.ts';
import type { StoredVerdict } from '../../liability/verdicts.ts';
import { fault, ok, timeText, warning, localText, type Finding } from './findings.ts';

const DAY_MS = 86_400_000;
const WRONG =
  'Run npm run audit, which names each wrong row. Change nothing by hand, keep the database and the ' +
  'seals unchanged, and run npm run support-bundle.';

/** Whole audits are due per `AUDIT_EVERY_DAYS` (0: never). */
export function judgeVerdicts(
  { whole, daily }: { readonly whole: StoredVerdict | undefined; readonly daily: StoredVerdict | undefined },
  {
    now,
    isRunning,
    fullEveryDays,
  }: { readonly now: Date; readonly isRunning: boolean; readonly fullEveryDays: number },
): Finding[] {
  const found: Finding[] = [];
  if (daily && daily.problems > 0 && !(whole && whole.at > daily.at))
    found.push(
      fault(
        'audit',
        `The daily balance check found ${problems(daily)} on ${localText(daily.at)}.`,
        WRONG,
        findingOf(daily),
      ),
    );
  if (isRunning && daily && now.getTime() - daily.at.getTime() > DAILY_EVERY_MS)
    found.push(
      warning(
        'audit',
        `The last daily balance check was ${ago(daily, now)}.`,
        'A running server does it each day. See its log for the cause.',
      ),
    );
  if (!whole)
    found.push(
      warning(
        'audit',
        'No full audit has been run yet.',
        'Run npm run audit now and every week. It proves the books and changes nothing.',
      ),
    );
  else if (whole.problems > 0)
    found.push(
      fault('audit', `The last full audit, ${ago(whole, now)}, found ${problems(whole)}.`, WRONG, findingOf(whole)),
    );
  else if (fullEveryDays > 0 && now.getTime() - whole.at.getTime() > fullEveryDays * DAY_MS)
    found.push(
      warning(
        'audit',
        `The last full audit was ${ago(whole, now)} and found no problems.`,
        'Run npm run audit now and every week.',
      ),
    );
  else found.push(ok('audit', `The last full audit, ${ago(whole, now)}, passed all ${whole.checks} checks.`));
  return found;
}

function problems({ problems: count }: StoredVerdict): string {
  return count === 1 ? '1 problem' : `${count} problems`;
}

/** Separate, because findings name accounts. */
function findingOf({ finding }: StoredVerdict): string[] | undefined {
  return finding === null ? undefined : [finding];
}

function ago({ at }: StoredVerdict, now: Date): string {
  return `${timeText(now.getTime() - at.getTime())} ago (${localText(at)})`;
}
