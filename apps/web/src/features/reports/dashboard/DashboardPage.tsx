import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { Button, Skeleton } from '@mantine/core';
import { IconCoins, IconBroadcast } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { creditPath, listPath, pagePath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import classes from './DashboardPage.module.css';
import { FirstSteps, isSetUp } from './FirstSteps.tsx';
import { Leaders } from './Leaders.tsx';
import { TestNetworks } from './TestNetworks.tsx';
import { TodayFigures } from './TodayFigures.tsx';
import { WaitingTiles } from './WaitingTiles.tsx';
import { dashboardTexts } from './dashboardTexts.ts';

const LIVE_EVERY_MS = 5_000;
const HAS_TABLES: readonly Role[] = ['superadmin', 'admin'];

interface Props {
  readonly above?: ReactNode;
  readonly isWaiting: boolean;
  readonly beneath?: ReactNode;
}

export function DashboardPage({ above, isWaiting, beneath }: Props) {
  const user = useUser();
  const levels = ROLES.slice(ROLES.indexOf(user.role) + 1) as Level[];
  const { data, error, refetch } = useQuery({
    queryKey: ['counts', 'dashboard'],
    queryFn: ({ signal, client, queryKey }) =>
      call(dashboard, { query: {} }, { signal, background: client.getQueryData(queryKey) !== undefined }),
    refetchInterval: LIVE_EVERY_MS,
  });
  return (
    <>
      <PageHeader
        title={commonTexts.dashboard.title}
        action={
          user.role === 'superadmin' && (
            <Button
              component={PathLink}
              href={creditPath(user.role, user.role, 'creditadjust', user._id)}
              leftSection={<IconCoins size={16} aria-hidden />}
            >
              {dashboardTexts.issueCredit}
            </Button>
          )
        }
      />
      {above}
      {isWaiting ? (
        <Skeleton height={62} radius={8} />
      ) : error && !data ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          {HAS_TABLES.includes(user.role) && <LiveTablesCard role={user.role} />}
          <ul className={classes.cards}>
            {levels.map((level) => (
              <li key={level}>
                <PathLink href={listPath(user.role, level)} className={classes.card}>
                  <span className={classes.name}>{commonTexts.dashboard.cards[level]}</span>
                  {data ? (
                    <span className={classes.count}>{formatCount(data.counts[level] ?? 0)}</span>
                  ) : (
                    <Skeleton height={28} width={64} mt={6} mb={4} />
                  )}
                </PathLink>
              </li>
            ))}
          </ul>
          {data?.hasPlayed === false && <FirstSteps user={user} now={data} />}
          {(!data || data.hasPlayed || isSetUp(user, data)) && <TodayFigures role={user.role} now={data} />}
          {data && data.tests.length > 0 && <TestNetworks tests={data.tests} />}
          {/* Not before the part above has its height. */}
          {data && (
            <div className={classes.columns}>
              <WaitingTiles role={user.role} now={data} />
              <Leaders role={user.role} now={data} />
            </div>
          )}
        </>
      )}
      {!isWaiting && (data ?? error) && beneath}
    </>
  );
}

function LiveTablesCard({ role }: { role: Role }) {
  return (
    <div className={classes.tables}>
      <PathLink href={pagePath(role, 'game')} className={classes.all}>
        <IconBroadcast size={20} stroke={1.6} aria-hidden />
        <span>
          <strong>{dashboardTexts.allTables}</strong>
          <span className={classes.note}>{dashboardTexts.everyGamesNextDraw}</span>
        </span>
      </PathLink>
    </div>
  );
}
