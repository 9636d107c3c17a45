import { WINNERS_MAX, type welcome } from '@drawhouse/contract/players/welcome';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { builtInGame, SAMPLE_GAMES } from '@drawhouse/rules/games/catalogue';
import type { Services } from '../platform/services.ts';
import { playableGames } from '../games/games.sql.ts';
import { recentWins } from '../tickets/read/recent-wins.ts';
import { networksShown } from './landing-settings.ts';

/** Bounds database load from anonymous visitors. */
const CACHED_MS = 5_000;
const RECENT_MS = 7 * 86_400_000;

type Shown = RouteResult<typeof welcome>;

export interface WelcomeReader {
  /** Cached for a few seconds; concurrent callers share one read. */
  read(this: void): Promise<Shown>;
  forget(this: void): void;
}

export function createWelcome(services: Services): WelcomeReader {
  let cached: { readonly atMs: number; readonly shown: Promise<Shown> } | undefined;
  return {
    read() {
      const atMs = services.clock.now().getTime();
      // The clock may have stepped back.
      if (cached && Math.abs(atMs - cached.atMs) < CACHED_MS) return cached.shown;
      const reading = { atMs, shown: readWelcome(services) };
      cached = reading;
      reading.shown.catch(() => void (cached === reading && (cached = undefined)));
      return reading.shown;
    },
    forget: () => void (cached = undefined),
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

/** Fixed length, so the mask hides the name's length. */
export function masked(name: string): string {
  const [first = ''] = name;
  return `${first}*****`;
}
