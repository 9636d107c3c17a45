import { useEffect } from 'react';
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
import { BET_STATUS, filtersPath, readFilters } from './betStates.ts';
import type { BetFilters, BetPeriod } from './betStates.ts';
import { betTexts as texts } from './betTexts.ts';
import { BetRow } from './BetRow.tsx';
import { useOwnBets } from './useOwnBets.ts';
import type { OwnBets } from './useOwnBets.ts';
import { UnclaimedWins } from './UnclaimedWins.tsx';
import styles from './MyBetsPage.module.css';

const ALL = '';

/** Covers three months: unclaimed wins first, then all bets, newest first. */
export function MyBetsPage({ search }: PageProps) {
  const isWaitingAlone = search.get('claims') === 'waiting';
  return (
    <Page>
      <PageHeading title={texts.title} />
      <UnclaimedWins isAlone={isWaitingAlone} />
      {isWaitingAlone ? <Link to="/mine/bets">{texts.all}</Link> : <AllBets filters={readFilters(search)} />}
    </Page>
  );
}

function AllBets({ filters }: { filters: BetFilters }) {
  const { data, error, reload, older } = useOwnBets(filters);
  // Settled bets change the wallet.
  useEffect(() => watchWallet(reload), [reload]);
  return (
    <section className={styles.bets} aria-label={texts.list}>
      <Filters filters={filters} bets={data?.bets ?? []} />
      <DayZoneNote />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[132, 132, 132]} label={texts.loading} />}
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
              {texts.older}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function NoBets({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <Notice title={texts.noMatch} action={<Link to="/mine/bets">{texts.showAll}</Link>} />
  ) : (
    <Notice title={texts.none} action={<ButtonLink to="/">{texts.seeGames}</ButtonLink>}>
      {texts.noneHelp}
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
        label={texts.filters.game}
        value={filters.gameId ?? ALL}
        options={[[ALL, texts.filters.allGames], ...games]}
        onChoose={(gameId) => choose({ gameId: gameId || null })}
      />
      <SelectField
        label={texts.filters.status}
        value={filters.status ?? ALL}
        options={[[ALL, texts.filters.all], ...(Object.entries(BET_STATUS) as [keyof typeof BET_STATUS, string][])]}
        onChoose={(status) => choose({ status: status || null })}
      />
      <SelectField
        label={texts.filters.period}
        value={filters.period}
        options={Object.entries(texts.periods) as [BetPeriod, string][]}
        onChoose={(period) => choose({ period })}
      />
    </div>
  );
}
