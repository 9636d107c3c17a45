import type { AuditVerdict } from '@drawhouse/contract/liability/liability';
import { fairSeals } from '@drawhouse/contract/seals/seals';
import { sealGradeTexts } from '../../lib/format/sealGradeTexts.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../lib/server/api.ts';
import { fairPath } from '../../lib/paths.ts';
import { formatCount, formatDateTime, withTimes } from '../../lib/format/format.ts';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import classes from './liability.module.css';
import { liabilityTexts } from './liabilityTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

/** A witness may lapse at any time. */
const POLL_EVERY_MS = 30_000;

interface AuditVerdictsProps {
  audits: { whole: AuditVerdict | null; daily: AuditVerdict | null } | undefined;
}

export function AuditVerdicts({ audits }: AuditVerdictsProps) {
  if (!audits) return <div className={classes.verdicts} aria-hidden />;
  return (
    <ul className={classes.verdicts} aria-label={liabilityTexts.audits}>
      <SealsLine />
      <Line verdict={audits.whole} what={liabilityTexts.fullAudit} never={liabilityTexts.fullAuditHasNot} />
      <Line
        verdict={audits.daily}
        what={liabilityTexts.dailyBalanceCheck}
        never={liabilityTexts.dailyBalanceCheckHas}
      />
    </ul>
  );
}

function SealsLine() {
  const { data } = useQuery({
    ...callQuery(['notices', 'seals'], fairSeals, {}, { background: true }),
    refetchInterval: POLL_EVERY_MS,
  });
  if (!data) return <li className={classes.awaited} aria-hidden />;
  const { tone, grade, sentence } = sealGradeTexts(data.seals, formatDateTime);
  return (
    <li>
      <StatusBadge tone={tone}>{grade}</StatusBadge>{' '}
      <span>
        {sentence} <a href={fairPath('seals')}>{liabilityTexts.howSealsWork}</a>
      </span>
    </li>
  );
}

function Line({ verdict, what, never }: { verdict: AuditVerdict | null; what: string; never: string }) {
  if (!verdict) {
    return (
      <li>
        <StatusBadge tone="neutral">{liabilityTexts.notChecked}</StatusBadge> <span>{never}</span>
      </li>
    );
  }
  const { at, checks, problems, finding } = verdict;
  const description = liabilityTexts.madeChecks(what, formatDateTime(at), formatCount(checks));
  if (problems === 0) {
    return (
      <li>
        <StatusBadge tone="good">{liabilityTexts.clean}</StatusBadge>{' '}
        <span>{liabilityTexts.andFoundNothingWrong(description)}</span>
      </li>
    );
  }
  return (
    <li>
      <StatusBadge tone="bad">{liabilityTexts.problems}</StatusBadge>{' '}
      <span>
        {richText(liabilityTexts.andFound, {
          description,
          problems: problems === 1 ? 'a problem' : liabilityTexts.problemCount(formatCount(problems)),
          detail: finding === null ? liabilityTexts.yourSuperadminCanSee : liabilityTexts.first(withTimes(finding)),
        })}
      </span>
    </li>
  );
}
