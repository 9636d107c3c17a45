import { STATEMENT_ENDS, statement } from '@drawhouse/contract/statement';
import { TRANSFER_KINDS } from '@drawhouse/contract/credit';
import { Button, Group } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ApiError, call, callFile, errorMessage } from '../../lib/api.ts';
import { ownTimeZone } from '../../lib/format.ts';
import { detailsPath, homePath, pagePath } from '../../lib/paths.ts';
import { DATE_RANGE, instantsOf, LAST_6_MONTHS, resolvePeriod } from '../../lib/periods.ts';
import type { DayRange, PeriodId } from '../../lib/periods.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useExport } from '../../lib/useExport.ts';
import { useGo } from '../../lib/useGo.ts';
import { useUser } from '../../lib/useSession.ts';
import { useToday } from '../../lib/useToday.ts';
import { messages } from '../../messages.ts';
import { ChoiceButton } from '../../ui/ChoiceButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ExportButton } from '../../ui/ExportButton.tsx';
import { ExportProgress } from '../../ui/ExportProgress.tsx';
import { Figures } from '../../ui/Figures.tsx';
import { NotFoundState } from '../../ui/NotFoundState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PeriodBar } from '../../ui/PeriodBar.tsx';
import { statementColumns } from './statementColumns.tsx';
import { readStatementSearch, STATEMENT_PERIOD, statementHref } from './statementSearch.ts';
import type { StatementSearch, StatementWallet } from './statementSearch.ts';

const texts = messages.statement;
const WALLETS = Object.keys(texts.wallets) as StatementWallet[];

/** What went into and out of an account's wallet in a period, and the balance after each; its own without an id. */
export function StatementPage({ id }: { id?: string }) {
  const user = useUser();
  const go = useGo();
  const path = useLocation({ select: (location) => location.pathname });
  const today = useToday();
  const search = readStatementSearch(useSearch({ from: '/$role/$' }));
  const { range, period } = resolvePeriod(search, new Date(`${today}T12:00:00`), STATEMENT_PERIOD);
  const { wallet, before, after, pageSize } = search;
  const query = { id, wallet, ...instantsOf(range) };
  const page = { before, after, pageSize: String(pageSize) };
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [queryKeys.credit, 'statement', query, page],
    queryFn: ({ signal }) => call(statement.route, { query: { ...query, ...page } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const xlsx = useExport(texts.title, (signal) =>
    callFile(statement.files[0]!.route, { query: { ...query, timeZone: ownTimeZone() } }, { signal }),
  );
  const csv = useExport(texts.title, (signal) =>
    callFile(statement.files[1]!.route, { query: { ...query, timeZone: ownTimeZone() } }, { signal }),
  );
  const columns = useMemo(() => statementColumns(user.role), [user.role]);
  const account = data?.account ?? (id === undefined ? user : undefined);

  /** Whatever changes but the page leads back to the newest movements. */
  const show = (change: Partial<StatementSearch>) =>
    go.to(statementHref(path, { ...search, before: undefined, after: undefined, ...change }));
  const showPeriod = (chosen: PeriodId) => show({ period: chosen, startDate: undefined, endDate: undefined });
  const showRange = ({ from, to }: DayRange) => show({ period: DATE_RANGE, startDate: from, endDate: to });

  if (error instanceof ApiError && error.status === 404 && !data) {
    return (
      <>
        <PageHeader title={texts.title} />
        <NotFoundState what="This account" to={{ label: messages.dashboard.label, href: homePath(user.role) }} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={texts.title}
        of={account?.username}
        ofHref={
          account &&
          (account._id === user._id
            ? pagePath(user.role, 'profile')
            : detailsPath(user.role, account.role, account._id))
        }
        action={
          <Group gap="xs" wrap="nowrap">
            <ExportButton exporting={xlsx} name={messages.exports.xls} />
            <ExportButton exporting={csv} name={messages.exports.csv} icon={IconFileTypeCsv} />
          </Group>
        }
      >
        <Button.Group aria-label="Wallet">
          {WALLETS.map((choice) => (
            <ChoiceButton key={choice} chosen={choice === wallet} onClick={() => show({ wallet: choice })}>
              {texts.wallets[choice]}
            </ChoiceButton>
          ))}
        </Button.Group>
        <PeriodBar period={period} range={range} onPeriod={showPeriod} onRange={showRange} />
      </PageHeader>
      <ExportProgress exporting={xlsx} />
      <ExportProgress exporting={csv} />
      {(data ?? !error) && (
        <Figures
          figures={[
            { name: STATEMENT_ENDS.opening, value: data?.opening },
            { name: texts.totalIn, value: data?.credit },
            { name: texts.totalOut, value: data?.debit },
            { name: STATEMENT_ENDS.closing, value: data?.closing },
          ]}
        />
      )}
      <DataTable
        label={texts.title}
        rows={data?.data}
        columns={columns}
        rowKey={(row) => row._id}
        rowLabel={(row) => `${TRANSFER_KINDS[row.kind]}: ${row.counterpart}`}
        loading={isFetching && (!data || isPlaceholderData)}
        error={error && !data ? errorMessage(error) : null}
        onRetry={() => void refetch()}
        empty={
          data && data.total > 0 ? (
            <EmptyState
              title="Nothing more here"
              text="The other movements of this period stand on other pages."
              action={
                <Button variant="default" onClick={() => show({})}>
                  Show the newest
                </Button>
              }
            />
          ) : (
            <EmptyState
              title="No movements in this period"
              text={EMPTY[wallet]}
              action={
                period !== LAST_6_MONTHS && (
                  <Button variant="default" onClick={() => showPeriod(LAST_6_MONTHS)}>
                    Show the last 6 months
                  </Button>
                )
              }
            />
          )
        }
        steps={
          data && {
            total: data.total,
            pageSize,
            onPageSize: (size) => show({ pageSize: size }),
            onNewer: data.newer === null ? null : () => show({ after: data.newer ?? undefined }),
            onOlder: data.older === null ? null : () => show({ before: data.older ?? undefined }),
          }
        }
      />
    </>
  );
}

const EMPTY: Record<StatementWallet, string> = {
  credit: 'Credit that comes in or goes out stands here, with the balance after it.',
  commission: 'Commission that is earned or paid out stands here, with what is pending after it.',
};
