import { systemClock } from '../../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { setDrawInterval } from '../../../tools/draw-interval.ts';
import type { Entrant } from '../../simulate/player.ts';
import { makeNetwork } from '../bench-network.ts';
import { openSessions } from '../tickets/ticket-field.ts';

export const GAMES = { '3D': 'lottery3d', '4D': 'lottery4d' } as const;
export const BETS_A_SECOND = 2_000;
export const CHANGES_A_SECOND = 8;

const PLAYERS = 1_000;
/** Hundredths; more than any run spends. */
const CREDIT = 1_000_000_000_000n;
/** Longest interval; draws change only at midnight UTC. */
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
