import type { Welcome } from '@drawhouse/contract/players/welcome';
import { house } from '@drawhouse/session/house';
import { dayText, pointsText } from '../lib/amounts.ts';
import { call } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { useSession } from '../lib/session/playerSession.ts';
import { useQuery } from '../lib/server/useQuery.ts';
import { Link } from '../lib/navigation.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { HouseFooter, HouseLogo } from '../ui/House.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../ui/Page.tsx';
import { GameCover } from '../ui/result/GameCover.tsx';
import styles from './WelcomePage.module.css';
import { welcomeTexts as texts } from './welcomeTexts.ts';

const FEW = 3;

export function WelcomePage() {
  const session = useSession();
  const { data, error, reload } = useQuery('welcome', (signal) =>
    call(routes.welcome, {}, { signal, background: true }),
  );
  const playPath = session?.role === 'user' ? '/' : '/sign-in';
  return (
    <Page>
      <section className={styles.banner}>
        <div className={styles.words}>
          <HouseLogo height={72} />
          <PageHeading title={texts.title(house.name)} tabTitle={texts.tabTitle} />
          <p>{texts.intro}</p>
          <div className={styles.acts}>
            <ButtonLink href={playPath} kind="main" className={styles.play}>
              {texts.play}
            </ButtonLink>
            <a href="/fair">{texts.fair}</a>
          </div>
        </div>
        <BannerPicture />
      </section>
      <section aria-labelledby="games" className={styles.part}>
        <h2 id="games">{texts.games}</h2>
        {data ? (
          <Games games={data.games} isPlayer={session?.role === 'user'} />
        ) : error === undefined ? (
          <Skeleton heights={[150, 150]} />
        ) : (
          <ReadFailure error={error} onRetry={reload} />
        )}
      </section>
      {data && <Winners winners={data.winners} />}
      <HouseFooter />
    </Page>
  );
}

function Games({ games, isPlayer }: { games: Welcome['games']; isPlayer: boolean }) {
  const closed = games.filter(({ isOpen }) => !isOpen);
  return (
    <>
      <ul className={styles.tiles}>
        {games
          .filter(({ isOpen }) => isOpen)
          .map((game) => (
            <GameTile key={game.gameId} game={game} isPlayer={isPlayer} />
          ))}
      </ul>
      {closed.length > 0 && (
        <>
          <h3 className={styles.closed}>{texts.notOpen}</h3>
          <ul className={styles.tiles}>
            {closed.map((game) => (
              <GameTile key={game.gameId} game={game} isPlayer={isPlayer} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function GameTile({ game, isPlayer }: { game: Welcome['games'][number]; isPlayer: boolean }) {
  const { gameId, title, isOpen } = game;
  const path = `/play/${encodeURIComponent(gameId)}`;
  const to = isPlayer ? path : `/sign-in?${new URLSearchParams({ back: path }).toString()}`;
  const inside = (
    <>
      <GameCover game={game} size={56} />
      <span className={styles.title}>{title}</span>
    </>
  );
  return (
    <li>
      {isOpen ? (
        <Link href={to} className={styles.tile}>
          {inside}
        </Link>
      ) : (
        <span className={styles.tile}>{inside}</span>
      )}
    </li>
  );
}

function Winners({ winners }: { winners: Welcome['winners'] }) {
  return (
    <section aria-labelledby="winners" className={styles.part}>
      <h2 id="winners">{texts.winners}</h2>
      {winners.length > 0 && (
        <ul className={styles.winners}>
          {winners.map(({ name, gameName, win, at }, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <span className={styles.name}>{name}</span>
              <span className={styles.game}>
                {gameName}, {dayText(at)}
              </span>
              <strong className={styles.win}>{pointsText(win)}</strong>
            </li>
          ))}
        </ul>
      )}
      {winners.length < FEW && (
        <p className={styles.few}>{winners.length === 0 ? texts.noWinners : texts.fewWinners}</p>
      )}
    </section>
  );
}

function BannerPicture() {
  const pockets = Array.from({ length: 12 }, (_, index) => index);
  return (
    <svg className={styles.picture} viewBox="0 0 240 200" aria-hidden="true">
      <circle cx="120" cy="100" r="92" fill="var(--brass-line)" />
      <circle cx="120" cy="100" r="84" fill="var(--felt)" />
      {pockets.map((index) => (
        <path
          key={index}
          d="M120 100L100.9 28.7A74 74 0 0 1 139.1 28.7Z"
          transform={`rotate(${index * 30} 120 100)`}
          fill={index === 0 ? 'var(--wheel-green)' : index % 2 ? 'var(--wheel-red)' : 'var(--wheel-black)'}
          stroke="var(--brass-line)"
          strokeWidth="1.5"
        />
      ))}
      <circle cx="120" cy="100" r="44" fill="var(--felt)" stroke="var(--brass-line)" strokeWidth="3" />
      <path
        d="M120 66l8.5 24.5 26-.6-21.3 15 8.5 24.6L120 114l-21.7 15.500 8.5-24.6-21.3-15 26 .6Z"
        fill="var(--brass-line)"
      />
      <circle cx="158" cy="48" r="8" fill="#fffdf7" stroke="#23292c" strokeWidth="1.5" />
    </svg>
  );
}
