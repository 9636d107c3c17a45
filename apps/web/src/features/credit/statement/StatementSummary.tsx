import { STATEMENT_KINDS, type MovementKind } from '@drawhouse/contract/credit/credit';
import {
  statementSummary,
  STATEMENT_ENDS,
  type StatementSummary as Summary,
} from '@drawhouse/contract/credit/statement';
import { Button, Skeleton } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { instantsOf, type DayRange } from '../../../lib/format/periods.ts';
import { useStoredFlag } from '../../../lib/devicePreferences.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { TimeChart } from '../../../ui/chart/TimeChart.tsx';
import { Figures } from '../../../ui/mark/Figures.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { statementTexts, type Wallet } from './statementTexts.ts';
import classes from './StatementSummary.module.css';

const { totalIn, totalOut } = commonTexts.statement;
const texts = statementTexts;

interface StatementSummaryProps {
  id: string | undefined;
  wallet: Wallet;
  whose: string | undefined;
  range: DayRange;
  kind: string | undefined;
  onKind: (kind: MovementKind | undefined) => void;
}

export function StatementSummary({ id, wallet, whose, range, kind, onKind }: StatementSummaryProps) {
  const query = { id, wallet, ...instantsOf(range) };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...callQuery(['credit', 'statement', 'summary', query], statementSummary, { query }),
    placeholderData: keepPreviousData,
  });
  const points = useMemo(() => data && curveOf(data, query.startDate), [data, query.startDate]);
  const problem = error && !data ? errorMessage(error) : null;
  const [opened, setOpened] = useStoredFlag(OPENED);
  const detailsId = useId();
  const figures = [
    { name: STATEMENT_ENDS.opening, value: data?.opening },
    { name: totalIn, value: data?.credit },
    { name: totalOut, value: data?.debit },
    { name: STATEMENT_ENDS.closing, value: data?.closing },
  ];
  return (
    <div className={classes.summary}>
      <div className={classes.strip}>
        <Figures figures={figures} inline />
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconChartLine size={16} aria-hidden />}
          aria-expanded={opened}
          aria-controls={detailsId}
          onClick={() => setOpened(!opened)}
        >
          {texts.details}
        </Button>
      </div>
      {problem !== null && !opened && (
        <p className={classes.note} role="alert">
          {problem}
        </p>
      )}
      <div id={detailsId} hidden={!opened}>
        {opened && (
          <>
            {whose !== undefined && <p className={classes.whose}>{whose}</p>}
            <div className={classes.parts}>
              <div className={classes.part}>
                <TimeChart
                  title={texts.curve}
                  series={texts.series}
                  points={points}
                  grain="instant"
                  empty={texts.noCurve}
                  error={problem}
                  onRetry={() => void refetch()}
                  stale={isPlaceholderData}
                  height={104}
                />
              </div>
              <div className={classes.part}>
                <Kinds summary={data} kind={kind} onKind={onKind} />
              </div>
            </div>
          </>
        )}
      </div>
    </div>
  );
}

const OPENED = 'statement-details';

function curveOf({ opening, balances }: Summary, startDate: string) {
  if (balances.length === 0) return [];
  return [{ at: startDate, balance: opening }, ...balances].map(({ at, balance }) => ({ at, values: [balance] }));
}

function Kinds({
  summary,
  kind,
  onKind,
}: { summary: Summary | undefined } & Pick<StatementSummaryProps, 'kind' | 'onKind'>) {
  if (!summary) return <Skeleton height={140} />;
  const { kinds, movements } = summary;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={texts.byKind} tabIndex={0}>
        <table className={classes.kinds}>
          <thead>
            <tr>
              <th scope="col">{texts.type}</th>
              <th scope="col">{texts.count}</th>
              <th scope="col">{texts.in}</th>
              <th scope="col">{texts.out}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((each) => (
              <tr key={each.kind} data-chosen={each.kind === kind || undefined}>
                <th scope="row">
                  {each.kind === 'cleared' || each.kind === 'restored' ? (
                    STATEMENT_KINDS[each.kind]
                  ) : (
                    <KindButton kind={each.kind} chosen={kind} onKind={onKind} />
                  )}
                </th>
                <td>{formatCount(each.count)}</td>
                <td>{amountOf(each.credit)}</td>
                <td>{amountOf(each.debit)}</td>
              </tr>
            ))}
            {kinds.length === 0 && (
              <tr>
                <td colSpan={4}>{texts.nothing}</td>
              </tr>
            )}
          </tbody>
        </table>
      </section>
      {summary.credit === null && <p className={classes.note}>{texts.tooMany(formatCount(movements))}</p>}
    </>
  );
}

function KindButton({
  kind,
  chosen,
  onKind,
}: { kind: MovementKind; chosen: string | undefined } & Pick<StatementSummaryProps, 'onKind'>) {
  return (
    <button
      type="button"
      className={classes.kind}
      aria-pressed={kind === chosen}
      onClick={() => onKind(kind === chosen ? undefined : kind)}
    >
      {STATEMENT_KINDS[kind]}
    </button>
  );
}

function amountOf(points: number | null) {
  if (points === null) return '–';
  return points === 0 ? null : <Points value={points} inline />;
}
