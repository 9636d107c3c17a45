import { WINNERS_MAX } from '@drawhouse/contract/players/welcome';
import type { welcome } from '@drawhouse/contract/players/welcome';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { builtInGame } from '@drawhouse/rules/catalogue';
import { SAMPLE_GAMES } from '@drawhouse/rules/sample-games';
import type { Services } from '../services.ts';
import { playableGames } from '../games/games.sql.ts';
import { recentWins } from '../tickets/recent-wins.ts';
import { networksShown } from './landing-settings.ts';

/** What strangers are shown is read at most so often, however many they are. */
const KEPT_MS = 5_000;
/** A win is recent for so long. */
const RECENT_MS = 7 * 86_400_000;

/** What the landing page shows. */
type Shown = RouteResult<typeof welcome>;

/** Tells what the landing page shows. */
export interface WelcomeReader {
  /** What was read within the last few seconds, by the clock; else it is read, once for all who ask meanwhile. */
  read(this: void): Promise<Shown>;
  /** It is read anew for whoever asks next. */
  forget(this: void): void;
}

/** Makes it. */
export function createWelcome(services: Services): WelcomeReader {
  let kept: { readonly atMs: number; readonly shown: Promise<Shown> } | undefined;
  return {
    read() {
      const atMs = services.clock.now().getTime();
      // The clock may have gone back meanwhile.
      if (kept && Math.abs(atMs - kept.atMs) < KEPT_MS) return kept.shown;
      const reading = { atMs, shown: readWelcome(services) };
      kept = reading;
      // What failed is tried again by whoever comes next.
      reading.shown.catch(() => void (kept === reading && (kept = undefined)));
      return reading.shown;
    },
    forget: () => void (kept = undefined),
  };
}

async function readWelcome({ db, clock }: Services): Promise<Shown> {
  const since = new Date(clock.now().getTime() - RECENT_MS);
  const [playable, wins] = await Promise.all([
    playableGames(
      db,
      SAMPLE_GAMES.map(({ gameId }) => gameId),
    ),
    networksShown(db).then((networks) => recentWins(db, networks, since, WINNERS_MAX)),
  ]);
  return {
    games: SAMPLE_GAMES.map(({ gameId, title }) => {
      const { family, digits } = builtInGame(gameId)!;
      return { gameId, title, family, digits, isOpen: playable.has(gameId) };
    }),
    winners: wins.map(({ username, game_name, win, at }) => ({
      name: masked(username),
      gameName: game_name,
      win: pointsOf(win),
      at: at.toISOString(),
    })),
  };
}

/** The first letter of a name and stars, as many whatever its length. */
export function masked(name: string): string {
  const [first = ''] = name;
  return `${first}*****`;
}
