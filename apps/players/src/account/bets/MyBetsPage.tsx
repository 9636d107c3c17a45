import { useEffect, useId } from 'react';
import { richText } from '@drawhouse/session/rich-text';
import { betsText } from '../../lib/playerTexts.ts';
import { LOBBY, readLobby } from '../../lib/betting/useLobby.ts';
import { watchWallet } from '../../lib/server/liveConnection.ts';
import { go, Link } from '../../lib/navigation.ts';
import type { PageProps } from '../../lib/matchPath.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { DayZoneNote } from '../DayZone.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SelectField } from '../../ui/fields/Options.tsx';
import { useWallet } from '../../lib/betting/wallet.ts';
import { Money } from '../../ui/Figures.tsx';
import { BET_STATUS, filtersPath, readFilters, type BetFilters, type BetPeriod } from './betStates.ts';
import { betTexts } from './betTexts.ts';
import { BetRow } from './BetRow.tsx';
import { useOwnBets, noteClaimed, readUnclaimedWins, useUnclaimedWins, type OwnBets } from './useOwnBets.ts';
import styles from './MyBetsPage.module.css';
import { useClaim } from './useClaim.ts';

const ALL = '';

/** Covers three months: unclaimed wins first, then all bets, newest first. */
export function MyBetsPage({ search }: PageProps) {
  const isWaitingAlone = search.get('claims') === 'waiting';
  return (
    <Page>
      <PageHeading title={betTexts.title} />
      <UnclaimedWins isAlone={isWaitingAlone} />
      {isWaitingAlone ? <Link to="/mine/bets">{betTexts.all}</Link> : <AllBets filters={readFilters(search)} />}
    </Page>
  );
}

function AllBets({ filters }: { filters: BetFilters }) {
  const { data, error, reload, older } = useOwnBets(filters);
  // Settled bets change the wallet.
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
    <Notice title={betTexts.noMatch} action={<Link to="/mine/bets">{betTexts.showAll}</Link>} />
  ) : (
    <Notice title={betTexts.none} action={<ButtonLink to="/">{betTexts.seeGames}</ButtonLink>}>
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
