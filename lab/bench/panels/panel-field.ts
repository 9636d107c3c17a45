import { systemClock } from '../../../apps/server/src/clock.ts';
import type { Database } from '../../../apps/server/src/db/database.ts';
import { setDrawInterval } from '../../../tools/draw-interval.ts';
import type { Entrant } from '../../simulate/player.ts';
import { makeNetwork } from '../bench-network.ts';
import { openSessions } from '../tickets/ticket-field.ts';

/** The games with the most outcomes: their whole panels are the largest. */
export const GAMES = { '3D': 'lottery3d', '4D': 'lottery4d' } as const;
/** Bets that come a second while panels are looked at. */
export const BETS_A_SECOND = 2_000;
/** Changes are sent so often at most. */
export const CHANGES_A_SECOND = 8;

const PLAYERS = 1_000;
/** So much credit, in hundredths, that nobody runs out of it. */
const CREDIT = 1_000_000_000_000n;
/** The longest interval that a game may have: no draw ends while something is measured, but at midnight UTC. */
const DAY_SECONDS = 86_400;
/** As many sockets as one session may have. */
const SOCKETS_PER_SESSION = 6;

/** A network whose panels are measured. */
export interface PanelField {
  readonly db: Database;
  /** Of the database. */
  readonly url: string;
  readonly adminId: string;
  readonly networkId: number;
  /** Players who are signed in. */
  readonly players: readonly Entrant[];
  /** Tokens of the admin for so many sockets, one for each. */
  adminTokens(this: void, sockets: number): Promise<string[]>;
}

/** Makes the network, with draws that last a day. */
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
