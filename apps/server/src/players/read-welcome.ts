import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { WINNERS_MAX, type welcome } from '@drawhouse/contract/players/welcome';
import { builtInGame, SAMPLE_GAMES } from '@drawhouse/rules/games/catalogue';
import type { Services } from '../platform/services.ts';
import { playableGames } from '../games/games.sql.ts';
import { recentWins } from '../tickets/read/recent-wins.ts';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Call } from '../platform/http/handler.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { PLAYER_TEXTS, PLAYER_SUBJECTS } from './players-texts.ts';

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

export async function areWinnersShown(on: Queryable, networkId: number): Promise<boolean> {
  const [row] = await on.query<{ winners_shown: boolean }>(
    sql`select winners_shown from landing_settings where network_id = ${networkId}`.named('landing-shown'),
  );
  return row?.winners_shown ?? true;
}

export async function showWinners(
  services: Services,
  call: Call<Actor>,
  shown: boolean,
  changed: () => void,
): Promise<{ message: string; shown: boolean }> {
  const { id: adminId, networkId, username } = call.actor;
  return runCommand(services, call, async (tx) => {
    const before = await areWinnersShown(tx, networkId);
    if (before !== shown)
      await tx.query(
        sql`insert into landing_settings (network_id, winners_shown) values (${networkId}, ${shown})
         on conflict (network_id) do update set winners_shown = excluded.winners_shown`,
      );
    tx.onCommit(changed);
    return {
      result: {
        message: shown ? PLAYER_TEXTS.winnersShown : PLAYER_TEXTS.winnersHidden,
        shown,
      },
      subject: before === shown ? null : PLAYER_SUBJECTS.winners(shown ? 'Showed' : 'Hid', username),
      detail: { adminId, winnersShown: shown },
      changes: changeOf('Winners on the landing page', inWords(before), inWords(shown)),
    };
  });
}

const inWords = (shown: boolean): string => (shown ? 'Shown' : 'Not shown');

async function networksShown(on: Queryable): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    sql`select n.id from networks n join accounts a on a.id = n.admin_id
     where not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))
       and not exists (select from landing_settings s
         where s.network_id = n.id and not s.winners_shown) ${sql.raw(crossNetworkComment('landing'))}`.named(
      'landing-networks',
    ),
  );
  return rows.map(({ id }) => id);
}
