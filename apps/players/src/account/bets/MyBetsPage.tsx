import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { richText } from '@drawhouse/session/rich-text';
import { useEffect, useId, useState } from 'react';
import { betsText } from '../../lib/playerTexts.ts';
import { LOBBY, readLobby } from '../../lib/betting/useLobby.ts';
import { watchWallet } from '../../lib/server/liveConnection.ts';
import { go, Link } from '../../lib/navigation.ts';
import { type PageProps } from '../../lib/matchPath.ts';
import { cachedData, invalidate, updateCached, useQuery } from '../../lib/server/useQuery.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { daysUpTo, DayZoneNote } from '../DayZone.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SelectField } from '../../ui/fields/Options.tsx';
import { useWallet } from '../../lib/betting/wallet.ts';
import { Money } from '../../ui/Figures.tsx';
import { BET_PERIODS, BET_STATUS, type BetFilters, type BetPeriod, filtersPath, readFilters } from './betStates.ts';
import { betTexts } from './betTexts.ts';
import { BetRow } from './BetRow.tsx';
import styles from './MyBetsPage.module.css';
import { useClaim } from './useClaim.ts';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { serverNow } from '../../lib/server/serverTime.ts';

const ALL = '';

/** Covers three months: unclaimed wins first, then all bets, newest first. */
export function MyBetsPage({ search }: PageProps) {
  const isWaitingAlone = search.get('claims') === 'waiting';
  return (
    <Page>
      <PageHeading title={betTexts.title} />
      <UnclaimedWins isAlone={isWaitingAlone} />
      {isWaitingAlone ? <Link href="/mine/bets">{betTexts.all}</Link> : <AllBets filters={readFilters(search)} />}
    </Page>
  );
}

function AllBets({ filters }: { filters: BetFilters }) {
  const { data, error, reload, older } = useOwnBets(filters);
  useEffect(() => watchWallet(reload), [reload]);
  return (
    <section className={styles.bets} aria-label={betTexts.list}>
      <Filters filters={filters} bets={data?.bets ?? []} />
      <DayZoneNote />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[132, 132, 132]} label={betTexts.loading} />}
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
              {betTexts.older}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function NoBets({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <Notice title={betTexts.noMatch} action={<Link href="/mine/bets">{betTexts.showAll}</Link>} />
  ) : (
    <Notice title={betTexts.none} action={<ButtonLink href="/">{betTexts.seeGames}</ButtonLink>}>
      {betTexts.noneHelp}
    </Notice>
  );
}

function Filters({ filters, bets }: { filters: BetFilters; bets: OwnBets['bets'] }) {
  const { data: lobby } = useQuery(LOBBY, readLobby);
  const names = new Map<string, string>();
  for (const { gameId, gameName } of [...(lobby?.games ?? []), ...bets]) names.set(gameId, gameName);
  if (filters.gameId !== null && !names.has(filters.gameId)) names.set(filters.gameId, filters.gameId);
  const games = [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true }));
  const choose = (change: Partial<BetFilters>) => go(filtersPath({ ...filters, ...change }), { replace: true });
  return (
    <div className={styles.filters}>
      <SelectField
        label={betTexts.filters.game}
        value={filters.gameId ?? ALL}
        options={[[ALL, betTexts.filters.allGames], ...games]}
        onChoose={(gameId) => choose({ gameId: gameId || null })}
      />
      <SelectField
        label={betTexts.filters.status}
        value={filters.status ?? ALL}
        options={[[ALL, betTexts.filters.all], ...(Object.entries(BET_STATUS) as [keyof typeof BET_STATUS, string][])]}
        onChoose={(status) => choose({ status: status || null })}
      />
      <SelectField
        label={betTexts.filters.period}
        value={filters.period}
        options={Object.entries(betTexts.periods) as [BetPeriod, string][]}
        onChoose={(period) => choose({ period })}
      />
    </div>
  );
}

function UnclaimedWins({ isAlone }: { isAlone: boolean }) {
  const { data, error, reload, older } = useUnclaimedWins();
  const { claiming, failure, claim, claimAll } = useClaim(noteClaimed, reload);
  const winnings = useWallet()?.winnings ?? 0;
  const id = useId();
  useEffect(() => watchWallet(reload), [reload]);
  if (!data) {
    if (error !== undefined && isAlone) return <ReadFailure error={error} onRetry={reload} />;
    return isAlone || winnings > 0 ? <Skeleton heights={[132]} label={betTexts.wins.loading} /> : null;
  }
  if (data.bets.length === 0) {
    if (failure !== null) return <Notice tone="bad" isSaid title={failure} />;
    return isAlone ? <Notice title={betTexts.wins.none} /> : null;
  }
  return (
    <section className={styles.wins} aria-labelledby={id}>
      <h2 id={id}>
        {betTexts.wins.title(data.total)}
        {winnings > 0 && (
          <>
            {': '}
            <Money points={winnings} />
          </>
        )}
      </h2>
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
      {data.bets.length > 1 && (
        <Button kind="main" isWide isBusy={claiming !== null} onClick={() => claimAll(readUnclaimedWins)}>
          {betTexts.wins.claimAll(data.total)}
        </Button>
      )}
      <ul className={styles.list}>
        {data.bets.map((bet) => (
          <BetRow
            key={bet._id}
            bet={bet}
            action={
              <Button
                kind={data.bets.length > 1 ? 'plain' : 'main'}
                isWide
                isBusy={claiming === bet._id}
                onClick={() => claim(bet._id, bet.winpoints ?? 0)}
              >
                {richText(betTexts.wins.claim, { points: <Money points={bet.winpoints ?? 0} /> })}
              </Button>
            }
          />
        ))}
      </ul>
      {data.next !== null && (
        <Button isWide isBusy={older.isComing} onClick={older.read}>
          {betTexts.wins.more}
        </Button>
      )}
    </section>
  );
}

const PAGE_BETS = 25;
const MOST_BETS = 500;

interface OwnBets {
  readonly bets: readonly PlayerTicket[];
  readonly total: number;
  readonly next: string | null;
}

const cacheKey = (key: string): string => `bets/${key}`;
const WAITING = cacheKey('waiting');

function useOwnBets(filters: BetFilters) {
  const { gameId, status, period } = filters;
  return useBetList(cacheKey(filtersPath(filters)), {
    startDate: daysUpTo(BET_PERIODS[period], serverNow()).startDate,
    ...(gameId !== null && { gameId }),
    ...(status !== null && { status }),
  });
}

/** `reload` reloads even while another load runs. */
function useUnclaimedWins() {
  return { ...useBetList(WAITING, { claims: 'waiting' }), reload: reloadUnclaimed };
}

/** A running load may predate the last claim. */
function reloadUnclaimed(): void {
  invalidate(WAITING);
}

async function readUnclaimedWins(): Promise<readonly PlayerTicket[]> {
  const query = { claims: 'waiting', pageSize: String(MOST_BETS) } as const;
  return (await call(routes.tickets, { query })).data;
}

function noteClaimed(id: string): void {
  updateCached<OwnBets>(WAITING, ({ bets, total, next }) => {
    const left = bets.filter(({ _id }) => _id !== id);
    return { bets: left, total: Math.max(left.length, total - 1), next };
  });
}

type Asked = Parameters<typeof call<NonNullable<(typeof routes.tickets)['of']>>>[1]['query'];

function useBetList(name: string, query: Asked) {
  const read = useQuery(name, async (signal): Promise<OwnBets> => {
    const shown = (cachedData(name) as OwnBets | undefined)?.bets.length ?? 0;
    const pageSize = String(Math.min(MOST_BETS, Math.max(PAGE_BETS, shown)));
    const answer = await call(routes.tickets, { query: { ...query, pageSize } }, { signal, background: true });
    return { bets: answer.data, total: answer.total ?? answer.data.length, next: answer.next };
  });
  const [older, setOlder] = useState<{ isComing: boolean; error: unknown }>({ isComing: false, error: undefined });
  const readOlder = async () => {
    const before = read.data?.next;
    if (before == null || older.isComing) return;
    setOlder({ isComing: true, error: undefined });
    try {
      const { data, next } = await call(routes.tickets, { query: { ...query, before } });
      updateCached<OwnBets>(name, (known) =>
        known.next === before ? { ...known, bets: [...known.bets, ...data], next } : known,
      );
      setOlder({ isComing: false, error: undefined });
    } catch (error) {
      setOlder({ isComing: false, error });
    }
  };
  return { ...read, older: { ...older, read: () => void readOlder() } };
}
