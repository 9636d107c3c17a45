import { accountOverview } from '@drawhouse/contract/reports/account-overview';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { STATEMENT_KINDS } from '@drawhouse/contract/credit/credit';
import type { Role } from '@drawhouse/contract/core/primitives';
import { aboutAccount, aboutTransfer, statement } from '@drawhouse/contract/credit/statement';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { detailsPath, fromDetailsPath, withSearch } from '../../../lib/paths.ts';
import { instantsOf, LAST_6_MONTHS, periodDays, useToday } from '../../../lib/format/periods.ts';
import { useUser } from '../../../lib/session/session.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import type { Level } from '../../../commonTexts.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import classes from './AccountOverview.module.css';
import { accountOverviewTexts } from '../reportTexts.ts';

const THIS_WEEK = 5;
const TIME = 'Date & Time';
const LAST = '5';

type Problem = { text: string; onRetry: () => void } | undefined;

export function AccountOverview({ level, account }: { level: Level; account: Account }) {
  const today = useToday();
  const query = { id: account._id, ...instantsOf(periodDays(THIS_WEEK, today)) };
  const { data, error, refetch } = useQuery(callQuery(['reports', 'account', query], accountOverview, { query }));
  const problem: Problem = error && !data ? { text: errorMessage(error), onRetry: () => void refetch() } : undefined;
  const isPlayer = level === 'user';
  return (
    <div className={classes.overview}>
      <Part
        title={accountOverviewTexts.allTime}
        about={
          isPlayer
            ? accountOverviewTexts.betsAndWinsHouse(account.username)
            : accountOverviewTexts.betsAndWinsBelow(account.username)
        }
        heads={['Figure', 'Points']}
        problem={problem}
        rows={
          data && [
            ['Played', <Points key="v" value={data.lifetime.playPoints} inline />],
            ['Won', <Points key="v" value={data.lifetime.winPoints} inline />],
            [accountOverviewTexts.commissionAllLevels, <Points key="v" value={data.lifetime.commission} inline />],
            [accountOverviewTexts.netKeptByHouse, <Points key="v" value={data.lifetime.net} inline />],
          ]
        }
        empty=""
      />
      <Part
        title={accountOverviewTexts.gamesWithMostPlay}
        heads={['Game', 'Played', 'Won', accountOverviewTexts.endPoint]}
        problem={problem}
        rows={data?.games.map((game) => [game.gameName, ...played(game)])}
        empty={accountOverviewTexts.noSettledBetsYet}
      />
      {isPlayer ? (
        <OfPlayer account={account} half={instantsOf(periodDays(LAST_6_MONTHS, today))} />
      ) : (
        <Below account={account} data={data} problem={problem} />
      )}
    </div>
  );
}

interface Sums {
  playPoints: number;
  winPoints: number;
  endPoints: number;
}

function played({ playPoints, winPoints, endPoints }: Sums): ReactNode[] {
  return [
    <Points key="play" value={playPoints} inline />,
    <Points key="win" value={winPoints} inline />,
    <Points key="end" value={endPoints} inline />,
  ];
}

interface OfPlayerProps {
  account: Account;
  half: { startDate: string; endDate: string };
}

function OfPlayer({ account, half }: OfPlayerProps) {
  const { role: viewer } = useUser();
  const last = { id: account._id, pageSize: LAST };
  const all = fromDetailsPath(viewer, 'user', account._id, 'statement');
  return (
    <>
      <Movements
        title={accountOverviewTexts.lastMovements}
        query={{ ...last, ...half }}
        more={all}
        empty={accountOverviewTexts.noMovementsInLast}
      />
      <Movements
        title={accountOverviewTexts.lastTickets}
        query={{ ...last, kind: 'stake', ...half }}
        more={withSearch(all, { kind: 'stake', period: LAST_6_MONTHS })}
        ofTickets
        empty={accountOverviewTexts.noTicketsInLast}
      />
    </>
  );
}

interface BelowProps {
  account: Account;
  data: RouteAnswer<typeof accountOverview> | undefined;
  problem: Problem;
}

function Below({ account, data, problem }: BelowProps) {
  const { role: viewer } = useUser();
  const nameOf = (row: { id: string; username: string; role: Role; deleted: boolean }) =>
    row.deleted ? row.username : <PathLink href={detailsPath(viewer, row.role, row.id)}>{row.username}</PathLink>;
  return (
    <>
      <Part
        title={accountOverviewTexts.mostPlayBelowThis}
        heads={['Account', 'Played', 'Won', accountOverviewTexts.endPoint]}
        problem={problem}
        rows={data?.byPlay.map((row) => [nameOf(row), ...played(row)])}
        empty={accountOverviewTexts.noOneBelowHas}
      />
      <Part
        title={accountOverviewTexts.mostCreditBelowThis}
        about={[accountOverviewTexts.creditGaveAndTook(account.username), data?.cleared].filter(Boolean).join(' ')}
        heads={['Account', 'Given', accountOverviewTexts.takenBack]}
        problem={problem}
        rows={data?.byCredit.map((row) => [
          nameOf(row),
          <Points key="given" value={row.given} inline />,
          <Points key="back" value={row.takenBack} inline />,
        ])}
        empty={accountOverviewTexts.noCreditWasGiven}
      />
    </>
  );
}

interface MovementsProps {
  title: string;
  query: { id: string; pageSize: string; startDate: string; endDate: string; kind?: 'stake' };
  more: string;
  ofTickets?: boolean;
  empty: string;
}
function Movements({ title, query, more, ofTickets = false, empty }: MovementsProps) {
  const { data, error, refetch } = useQuery(callQuery(['credit', 'last', query], statement.route, { query }));
  return (
    <Part
      title={title}
      more={more}
      heads={[ofTickets ? accountOverviewTexts.ticket : accountOverviewTexts.type, 'With', TIME, 'Points']}
      problem={error && !data ? { text: errorMessage(error), onRetry: () => void refetch() } : undefined}
      rows={data?.data.map((row) => [
        ofTickets && row.ticket !== null ? (
          <ObjectLink key="ticket" about={{ kind: 'ticket', id: row.ticket }}>
            {row.ticket}
          </ObjectLink>
        ) : (
          <ObjectLink key="kind" about={aboutTransfer(row)}>
            {STATEMENT_KINDS[row.kind]}
          </ObjectLink>
        ),
        <ObjectLink key="with" about={aboutAccount(row.counterpartId, row.counterpartRole)}>
          {row.counterpart}
        </ObjectLink>,
        <DateTime key="at" value={row.at} relative />,
        <Points key="points" value={row.credit - row.debit} inline />,
      ])}
      empty={empty}
    />
  );
}

interface PartProps {
  title: string;
  about?: string;
  more?: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[] | undefined;
  problem: Problem;
  empty: string;
}

function Part({ title, about, more, heads, rows, problem, empty }: PartProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes.part} aria-label={title} tabIndex={0}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {more !== undefined && <PathLink href={more}>{accountOverviewTexts.all}</PathLink>}
      </div>
      {about !== undefined && <p className={classes.about}>{about}</p>}
      {problem ? (
        <p role="alert">
          <FailureText message={problem.text} />{' '}
          <Button size="compact-xs" variant="default" onClick={problem.onRetry}>
            {accountOverviewTexts.tryAgain}
          </Button>
        </p>
      ) : rows === undefined ? (
        <Skeleton height={120} />
      ) : rows.length === 0 ? (
        <p className={classes.about}>{empty}</p>
      ) : (
        <table className={classes.table} data-dated={heads[2] === TIME || undefined}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row is its index among the first
              <tr key={index}>
                {cells.map((cell, column) => (
                  <td key={heads[column]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
