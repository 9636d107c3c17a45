import type { AuditVerdict } from '@drawhouse/contract/liability/liability';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './AuditVerdicts.module.css';

interface AuditVerdictsProps {
  audits: { whole: AuditVerdict | null; daily: AuditVerdict | null } | undefined;
}

/** What the audits last found, in words. What was never checked is said to be so. */
export function AuditVerdicts({ audits }: AuditVerdictsProps) {
  if (!audits) return <div className={classes.verdicts} aria-hidden />;
  return (
    <ul className={classes.verdicts} aria-label="Audits">
      <Line
        verdict={audits.whole}
        what="The whole audit"
        never="The whole audit has not run here. Whoever runs the server starts it with npm run audit; it goes through every transfer, ticket, draw and log."
      />
      <Line
        verdict={audits.daily}
        what="The daily check of the balances"
        never="The daily check of the balances has not run yet. It runs an hour after the end of each day of the server."
      />
    </ul>
  );
}

function Line({ verdict, what, never }: { verdict: AuditVerdict | null; what: string; never: string }) {
  if (!verdict) {
    return (
      <li>
        <StatusBadge tone="neutral">Not checked</StatusBadge> <span>{never}</span>
      </li>
    );
  }
  const { at, checks, problems, finding } = verdict;
  const looked = `${what} of ${formatDateTime(at)} made ${formatCount(checks)} checks`;
  if (problems === 0) {
    return (
      <li>
        <StatusBadge tone="good">Clean</StatusBadge> <span>{looked} and found nothing wrong.</span>
      </li>
    );
  }
  return (
    <li>
      <StatusBadge tone="bad">Wrong</StatusBadge>{' '}
      <span>
        {looked} and found {problems === 1 ? 'a problem' : `${formatCount(problems)} problems`}.{' '}
        {finding === null ? 'Your superadmin can see what it is.' : `The first: ${finding}`}
      </span>
    </li>
  );
}
