import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { simulatePlayers } from '@drawhouse/contract/first-steps/first-steps';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { richText } from '@drawhouse/session/rich-text';
import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCoins, IconBroadcast } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { creditPath, listPath, pagePath, detailsPath, withSearch } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { MissingCellsNote } from '../../../ui/page/Notes.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import classes from './DashboardPage.module.css';
import { FirstSteps, isSetUp } from './FirstSteps.tsx';
import { Leaders } from './Leaders.tsx';
import { TodayFigures } from './TodayFigures.tsx';
import { dashboardTexts } from './dashboardTexts.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { failureNote } from '../../../lib/RequestId.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { TestBadge } from '../../../ui/mark/StatusBadge.tsx';
import firstStepsClasses from './FirstSteps.module.css';
import { Points } from '../../../ui/mark/Points.tsx';
import cards from './dashboardCard.module.css';

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
          user.role === 'superadmin' &&
          user.followsFirstCell !== true && (
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
      <MissingCellsNote missing={data?.missingCells} />
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
          {data && <FirstSteps user={user} now={data} />}
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

type Tests = RouteAnswer<typeof dashboard>['tests'];

function TestNetworks({ tests }: { tests: Tests }) {
  const simulation = useMutation({
    mutationFn: ({ adminId, running }: { adminId: string; running: boolean }) =>
      call(simulatePlayers, { params: { adminId }, body: { running } }),
    onSuccess: ({ message }) => {
      notifications.show({ message });
      return reload(['counts']);
    },
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
  });
  return (
    <section className={firstStepsClasses.tests} aria-labelledby="dashboard-tests">
      <h2 id="dashboard-tests" className={firstStepsClasses.title}>
        {dashboardTexts.tryItWithSimulated}
      </h2>
      <ul className={firstStepsClasses.steps}>
        {tests.map(({ adminId, username, simulatedUntil }) => (
          <li key={adminId} className={firstStepsClasses.test}>
            <span className={firstStepsClasses.network}>
              <PathLink href={detailsPath('superadmin', 'admin', adminId)}>{username}</PathLink>
              <TestBadge isTest />
            </span>
            <Button
              size="xs"
              variant="default"
              // A disabled button would lose the focus.
              aria-busy={simulation.isPending && simulation.variables.adminId === adminId}
              aria-label={dashboardTexts.simulatedPlayers(
                simulatedUntil === null ? dashboardTexts.start : dashboardTexts.stop,
                username,
              )}
              onClick={() => {
                if (!simulation.isPending) simulation.mutate({ adminId, running: simulatedUntil === null });
              }}
            >
              {simulatedUntil === null ? dashboardTexts.startSimulatedPlayers : dashboardTexts.stopSimulatedPlayers}
            </Button>
            {simulatedUntil !== null && (
              <span className={firstStepsClasses.until}>
                {richText(dashboardTexts.aboutOneBetSecond, { time: <DateTime value={simulatedUntil} /> })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className={firstStepsClasses.note}>{dashboardTexts.serverBetsWithCredit}</p>
    </section>
  );
}

interface WaitingTilesProps {
  role: Role;
  now: RouteAnswer<typeof dashboard>;
}

function WaitingTiles({ role, now }: WaitingTilesProps) {
  const { _id: userId } = useUser();
  return (
    <div className={cards.tiles}>
      <Tile title={dashboardTexts.playersOnlineNow} href={pagePath(role, 'onlineplayers')}>
        {formatCount(now.online)}
      </Tile>
      <Tile
        title={dashboardTexts.pendingCommission}
        href={pagePath(role, 'commissionpayoutReport')}
        note={dashboardTexts.earnedBelow(now.pendingCommission.accounts)}
        {...(now.pendingCommission.own > 0 && { own: now.pendingCommission.own })}
      >
        <Points value={now.pendingCommission.points} inline />
      </Tile>
      {now.week && now.week.accounts > 0 && (
        <Tile
          title={dashboardTexts.owed}
          href={pagePath(role, 'week')}
          note={dashboardTexts.owedSince(now.week.accounts, now.week.since)}
        >
          <Points value={now.week.owed} inline />
        </Tile>
      )}
      {now.week?.own && now.week.own.balance !== 0 && (
        <Tile
          title={dashboardTexts.ownWeek(now.week.own.balance > 0, now.week.own.parent)}
          href={withSearch(pagePath(role, 'week'), { account: userId })}
          note={dashboardTexts.ownSince(now.week.own.since, now.week.own.reminder)}
        >
          <Points value={Math.abs(now.week.own.balance)} inline />
        </Tile>
      )}
      {now.unclaimed.accounts > 0 && (
        <Tile
          title={dashboardTexts.unclaimedWins}
          href={pagePath(role, 'gamehistory')}
          note={dashboardTexts.waitingToClaim(now.unclaimed.accounts)}
        >
          <Points value={now.unclaimed.points} inline />
        </Tile>
      )}
    </div>
  );
}

interface TileProps {
  title: string;
  href: string;
  note?: string | undefined;
  /** In points. */
  own?: number;
  children: ReactNode;
}

function Tile({ title, href, note, own, children }: TileProps) {
  return (
    <section className={cards.card}>
      <h2 className={cards.title}>
        <PathLink href={href}>{title}</PathLink>
      </h2>
      <div className={cards.value}>{children}</div>
      {note !== undefined && <p className={cards.note}>{note}</p>}
      {own !== undefined && (
        <p className={cards.note}>{richText(dashboardTexts.yours, { amount: <Points value={own} inline /> })}</p>
      )}
    </section>
  );
}
