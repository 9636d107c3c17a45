import { systemClock } from '../../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { setDrawInterval } from '../../../tools/demo/draw-interval.ts';
import type { Entrant } from '../../simulate/player.ts';
import { makeNetwork } from '../fixtures/bench-network.ts';
import { openSessions } from '../tickets/ticket-field.ts';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { everyBet } from '../../simulate/ready-bets.ts';

export const GAMES = { '3D': 'lottery3d', '4D': 'lottery4d' } as const;
export const BETS_A_SECOND = 2_000;
export const CHANGES_A_SECOND = 8;

const PLAYERS = 1_000;
/** Hundredths; more than any run spends. */
const CREDIT = 1_000_000_000_000n;
/** Draws change only at midnight UTC. */
const DAY_SECONDS = 86_400;
/** The server's limit. */
const SOCKETS_PER_SESSION = 6;

export interface PanelField {
  readonly db: Database;
  readonly url: string;
  readonly adminId: string;
  readonly networkId: number;
  readonly players: readonly Entrant[];
  adminTokens(this: void, sockets: number): Promise<string[]>;
}

export async function makePanelField(db: Database, url: string): Promise<PanelField> {
  const games = Object.values(GAMES);
  const network = await makeNetwork(db, { games, players: PLAYERS, credit: CREDIT, clock: systemClock });
  for (const game of games) await setDrawInterval(db, game, DAY_SECONDS);
  await network.machine.tick();
  await db.query('vacuum analyze');
  const [admin] = await db.query<{ id: string; username: string }>(
    "select id, username from accounts where role = 'admin'",
  );
  return {
    db,
    url,
    adminId: admin!.id,
    networkId: network.networkId,
    players: await openSessions(db, network.players),
    async adminTokens(sockets) {
      const count = Math.ceil(sockets / SOCKETS_PER_SESSION);
      const sessions = await openSessions(
        db,
        Array.from({ length: count }, () => admin!),
      );
      return Array.from({ length: sockets }, (_, at) => sessions[Math.floor(at / SOCKETS_PER_SESSION)]!.token);
    },
  };
}

const CHANNEL = 'panels';
/** Hundredths. */
const STAKE = 500;
export const BETS_A_CHANGE: number = BETS_A_SECOND / CHANGES_A_SECOND;

/**
 * Adds to the draw's sums and notifies like another server would, which keeps bet processing out of the measured
 * server.
 */
export function betsOf({ db, networkId }: PanelField, gameId: string): () => Promise<void> {
  const rules = rulesFor(builtInGame(gameId)!);
  const keys = everyBet(rules).map((line) => (rules.parseBet(line) as { key: string }).key);
  const news = JSON.stringify({ from: 'bench', news: [[networkId, gameId, 'stakes']] });
  return async () => {
    const stakes = new Map<string, number>();
    for (let bet = 0; bet < BETS_A_CHANGE; bet++) {
      const key = keys[Math.floor(Math.random() * keys.length)]!;
      stakes.set(key, (stakes.get(key) ?? 0) + STAKE);
    }
    await db.query(
      `insert into exposures (network_id, draw_id, bet_key, stake)
       select $1, d.id, laid.key, laid.stake from draws d join games g on g.id = d.game_id,
         unnest($3::text[], $4::bigint[]) as laid (key, stake)
       where d.network_id = $1 and g.game_key = $2 and d.status = 'open'
       on conflict (network_id, draw_id, bet_key) do update set stake = exposures.stake + excluded.stake`,
      [networkId, gameId, [...stakes.keys()], [...stakes.values()]],
    );
    await db.query('select pg_notify($1, $2)', [CHANNEL, news]);
  };
}
