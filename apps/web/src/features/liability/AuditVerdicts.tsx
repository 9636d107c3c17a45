import type { AuditVerdict } from '@drawhouse/contract/liability/liability';
import { fairSeals } from '@drawhouse/contract/seals/seals';
import { sealGradeTexts } from '../../lib/format/sealGradeTexts.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { fairPath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { formatCount, formatDateTime } from '../../lib/format/format.ts';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import classes from './liability.module.css';

/** Polls because a witness may lapse at any time. */
const POLL_EVERY_MS = 30_000;

interface AuditVerdictsProps {
  audits: { whole: AuditVerdict | null; daily: AuditVerdict | null } | undefined;
}

export function AuditVerdicts({ audits }: AuditVerdictsProps) {
  if (!audits) return <div className={classes.verdicts} aria-hidden />;
  return (
    <ul className={classes.verdicts} aria-label="Audits">
      <SealsLine />
      <Line
        verdict={audits.whole}
        what="The full audit"
        never={
          'The full audit has not run yet. The server’s operator starts it with npm run audit; it checks every ' +
          'transfer, ticket, draw and log.'
        }
      />
      <Line
        verdict={audits.daily}
        what="The daily balance check"
        never="The daily balance check has not run yet. It runs an hour after the end of each server day."
      />
    </ul>
  );
}

function SealsLine() {
  const { data } = useQuery({
    queryKey: [queryKeys.notices, 'seals'],
    queryFn: ({ signal }) => call(fairSeals, {}, { signal, background: true }),
    refetchInterval: POLL_EVERY_MS,
  });
  if (!data) return <li className={classes.awaited} aria-hidden />;
  const { tone, grade, sentence } = sealGradeTexts(data.seals, formatDateTime);
  return (
    <li>
      <StatusBadge tone={tone}>{grade}</StatusBadge>{' '}
      <span>
        {sentence} <a href={fairPath('seals')}>How seals work</a>
      </span>
    </li>
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
  const description = `${what} of ${formatDateTime(at)} made ${formatCount(checks)} checks`;
  if (problems === 0) {
    return (
      <li>
        <StatusBadge tone="good">Clean</StatusBadge> <span>{description} and found nothing wrong.</span>
      </li>
    );
  }
  return (
    <li>
      <StatusBadge tone="bad">Problems</StatusBadge>{' '}
      <span>
        {description} and found {problems === 1 ? 'a problem' : `${formatCount(problems)} problems`}.{' '}
        {finding === null ? 'Your superadmin can see the details.' : `The first: ${finding}`}
      </span>
    </li>
  );
}
