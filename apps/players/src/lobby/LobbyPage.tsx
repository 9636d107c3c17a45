import type { Lobby } from '@drawhouse/contract/players/lobby';
import { useEffect } from 'react';
import { watchGames } from '../lib/liveLine.ts';
import { netOf, withGameNews } from '../lib/lobbyNews.ts';
import { LOBBY } from '../lib/lobbyRead.ts';
import { Link } from '../lib/navigation.ts';
import { useServerTime } from '../lib/serverTime.ts';
import { useLobby } from '../lib/useLobby.ts';
import { changeRead } from '../lib/useRead.ts';
import { spanWords } from '../lib/amounts.ts';
import { Money } from '../ui/Money.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Page } from '../ui/Page.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { PauseNotice } from '../ui/PauseNotice.tsx';
import { ReadFailure, Skeleton } from '../ui/Waiting.tsx';
import { GameCard } from './GameCard.tsx';
import { isOverdue } from './overdue.ts';
import styles from './LobbyPage.module.css';

/** Where nothing live comes, what is overdue is asked for this often. */
const ASK_AGAIN_MS = 5000;

/** A player's start: the wallet and the day, and the games of its network as they now are; the one played last first. */
export function LobbyPage() {
  const { data: lobby, error, again } = useLobby();
  useLiveLobby(lobby, again);
  return (
    <Page>
      <PageHeading title="Games" />
      {error !== undefined && <ReadFailure error={error} onRetry={again} />}
      {lobby ? (
        <>
          <PauseNotice />
          <Today lobby={lobby} />
          {lobby.games.length === 0 ? (
            <Notice title="No game is open to you yet.">
              Whoever manages your account opens games for your network.
            </Notice>
          ) : (
            <>
              <ul className={styles.games}>
                {lobby.games.map((game) => (
                  <GameCard key={game.gameId} game={game} />
                ))}
              </ul>
              <p className={styles.legend}>
                <abbr title="Generated">G</abbr> generated from the seed that was published before, which anyone can
                check. <abbr title="Declared">D</abbr> declared by the operator.
              </p>
            </>
          )}
        </>
      ) : (
        error === undefined && <Skeleton heights={[96, 168, 168, 168]} label="Loading your games" />
      )}
    </Page>
  );
}

/** The day so far; the wallet stands above every page. */
function Today({ lobby: { winnings, today, signedInAt } }: { lobby: Lobby }) {
  const { staked, won, open } = today;
  return (
    <section className={styles.today} aria-label="Today">
      <dl>
        <div className={styles.net}>
          <dt>Today</dt>
          <dd>
            <Money points={netOf(today)} isChange />
          </dd>
          <dd className={styles.more}>
            won <Money points={won} /> of <Money points={staked} /> staked
          </dd>
        </div>
        <div>
          <dt>Not drawn yet</dt>
          <dd>
            <Money points={open} />
          </dd>
        </div>
        <div>
          <dt>Signed in for</dt>
          <dd>
            <SinceSignIn since={signedInAt} />
          </dd>
        </div>
      </dl>
      {winnings > 0 && (
        <Notice
          tone="good"
          title={
            <>
              <Money points={winnings} /> wait to be claimed.
            </>
          }
          action={<Link to="/mine/bets?claims=waiting">Claim them in My bets</Link>}
        />
      )}
    </section>
  );
}

function SinceSignIn({ since }: { since: string }) {
  const words = useServerTime((now) => spanWords(now - Date.parse(since)));
  return <span>{words}</span>;
}

/** Keeps the lobby as it is at the server: by what comes live, and where nothing comes, by asking again for what is overdue. */
function useLiveLobby(lobby: Lobby | undefined, again: () => void): void {
  const ids = lobby?.games.map(({ gameId }) => gameId).join('\n') ?? '';
  useEffect(() => {
    if (ids === '') return;
    return watchGames(ids.split('\n'), (news) => changeRead<Lobby>(LOBBY, (before) => withGameNews(before, news)));
  }, [ids]);
  const isBehind = useServerTime((now) => lobby !== undefined && isOverdue(lobby, now));
  useEffect(() => {
    if (!isBehind) return;
    again();
    const timer = setInterval(again, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isBehind, again]);
}
