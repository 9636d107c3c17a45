import { pointsText } from '@drawhouse/contract/core/primitives';
import { DAILY_EVERY_MS } from '../health/server-health.ts';
import type { StoredVerdict } from '../../liability/verdicts.ts';
import { fault, type Finding, localText, ok, timeText, warning } from './findings.ts';
import { type NegativeNetwork, opensNoDraw } from '../../liability/negative-networks.ts';

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

const MEND =
  'The admins must add balance on the panels of these games, or the superadmin must set another table line for the admin.';

export function judgeTables(networks: readonly NegativeNetwork[]): Finding[] {
  const stopped = networks.filter(opensNoDraw);
  const count = networks.reduce((sum, { tables }) => sum + tables.length, 0);
  if (count === 0) return [ok('tables', 'No game table is below zero.')];
  const about = networks.flatMap(({ username, tables }) =>
    tables.map(({ gameName, balance }) => `${gameName} of ${username}: ${pointsText(balance)}`),
  );
  return stopped.length > 0
    ? [
        fault(
          'tables',
          `No draw opens in ${counted(stopped.length)}, because their tables are below their line.`,
          MEND,
          about,
        ),
      ]
    : [warning('tables', `${count === 1 ? 'A game table is' : `${count} game tables are`} below zero.`, MEND, about)];
}

function counted(count: number): string {
  return count === 1 ? 'a network' : `${count} networks`;
}
