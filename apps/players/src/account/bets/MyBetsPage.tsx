import { useEffect } from 'react';
import { betsText } from '../../lib/amounts.ts';
import { LOBBY, readLobby } from '../../lib/betting/useLobby.ts';
import { watchWallet } from '../../lib/server/liveConnection.ts';
import { go, Link } from '../../lib/navigation.ts';
import type { PageProps } from '../../lib/matchPath.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { DayZoneNote } from '../DayZone.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SelectField } from '../../ui/Fields.tsx';
import { BET_PERIODS, BET_STATUS, filtersPath, readFilters } from './betFilters.ts';
import type { BetFilters, BetPeriod } from './betFilters.ts';
import { BetRow } from './BetRow.tsx';
import { useOwnBets } from './useOwnBets.ts';
import type { OwnBets } from './useOwnBets.ts';
import { WaitingWins } from './UnclaimedWins.tsx';
import styles from './MyBetsPage.module.css';

const ALL = '';

/** Three months: unclaimed wins first, then all bets, newest first. */
export function MyBetsPage({ search }: PageProps) {
  const isWaitingAlone = search.get('claims') === 'waiting';
  return (
    <Page>
      <PageHeading title="My bets" />
      <WaitingWins isAlone={isWaitingAlone} />
      {isWaitingAlone ? <Link to="/mine/bets">All my bets</Link> : <AllBets filters={readFilters(search)} />}
    </Page>
  );
}

function AllBets({ filters }: { filters: BetFilters }) {
  const { data, error, reload, older } = useOwnBets(filters);
  // Wallet news coincides with settlement.
  useEffect(() => watchWallet(reload), [reload]);
  return (
    <section className={styles.bets} aria-label="Bets">
      <Filters filters={filters} bets={data?.bets ?? []} />
      <DayZoneNote />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[132, 132, 132]} label="Loading your bets" />}
      {data && (
        <>
          <output className={styles.count}>{data.total > 0 && betsText(data.total)}</output>
          {data.bets.length === 0 ? (
            <NoBets isNarrowed={filtersPath(filters) !== '/mine/bets'} />
          ) : (
            <ul className={styles.list}>
              {data.bets.map((bet) => (
                <BetRow key={bet._id} bet={bet} />
              ))}
            </ul>
          )}
          {older.error !== undefined && <ReadFailure error={older.error} onRetry={older.read} />}
          {data.next !== null && older.error === undefined && (
            <Button isWide isBusy={older.isComing} onClick={older.read}>
              Older bets
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function NoBets({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <Notice title="No matching bets." action={<Link to="/mine/bets">Show all bets of the last 3 months</Link>} />
  ) : (
    <Notice title="No bets in the last 3 months." action={<ButtonLink to="/">See games</ButtonLink>}>
      Each bet appears here with its draw, result and win.
    </Notice>
  );
}

function Filters({ filters, bets }: { filters: BetFilters; bets: OwnBets['bets'] }) {
  const { data: lobby } = useQuery(LOBBY, readLobby);
  const names = new Map<string, string>();
  for (const { gameId, gameName } of [...(lobby?.games ?? []), ...bets]) names.set(gameId, gameName);
  if (filters.gameId !== null && !names.has(filters.gameId)) names.set(filters.gameId, filters.gameId);
  const games = [...names].toSorted(([, a], [, b]) => a.localeCompare(b));
  const choose = (change: Partial<BetFilters>) => go(filtersPath({ ...filters, ...change }), { replace: true });
  return (
    <div className={styles.filters}>
      <SelectField
        label="Game"
        value={filters.gameId ?? ALL}
        options={[[ALL, 'All games'], ...games]}
        onChoose={(gameId) => choose({ gameId: gameId || null })}
      />
      <SelectField
        label="Status"
        value={filters.status ?? ALL}
        options={[[ALL, 'All'], ...(Object.entries(BET_STATUS) as [keyof typeof BET_STATUS, string][])]}
        onChoose={(status) => choose({ status: status || null })}
      />
      <SelectField
        label="Period"
        value={filters.period}
        options={Object.entries(BET_PERIODS).map(([name, { words }]) => [name as BetPeriod, words])}
        onChoose={(period) => choose({ period })}
      />
    </div>
  );
}
