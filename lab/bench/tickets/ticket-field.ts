import { createHash, randomBytes } from 'node:crypto';
import { newApiKey } from '../../../apps/server/src/api-keys/api-key-text.ts';
import type { Actor } from '../../../apps/server/src/accounts/authority.ts';
import { systemClock } from '../../../apps/server/src/clock.ts';
import type { Database } from '../../../apps/server/src/db/database.ts';
import type { Services } from '../../../apps/server/src/services.ts';
import { CallError } from '../../../apps/server/src/http/http-errors.ts';
import { createBetLanes } from '../../../apps/server/src/tickets/bet-lanes.ts';
import type { BetLanes } from '../../../apps/server/src/tickets/bet-lanes.ts';
import { makeNetwork } from '../bench-network.ts';
import type { BenchNetwork } from '../bench-network.ts';
import { setDrawInterval } from '../../../tools/draw-interval.ts';

/** The game that is bet on: ten numbers, so that all bets of a draw meet in ten sums. */
export const GAME = 'funtargetbingo';
/** The other game, which goes on while a draw of the first is settled. */
export const OTHER_GAME = 'lucky10fruit';
/** So much credit, in hundredths, that nobody runs out of it. */
export const CREDIT = 1_000_000_000n;
/** The longest interval that a game may have: no draw ends while a contestant runs, but at midnight UTC. */
export const DAY_SECONDS = 86_400;
/** Bets that wait for their answer in the server at a time: enough for full batches. */
export const IN_FLIGHT = 2_000;

/** Makes a network on the system's clock whose draws last a day, with the running ones open. */
export async function makeField(db: Database, players: number): Promise<BenchNetwork> {
  const network = await makeNetwork(db, { games: [GAME, OTHER_GAME], players, credit: CREDIT, clock: systemClock });
  for (const game of [GAME, OTHER_GAME]) await setDrawInterval(db, game, DAY_SECONDS);
  await network.machine.tick();
  await db.query('vacuum analyze');
  return network;
}

/** Signs accounts in as their calls would, each as often as it stands there, and gives the tokens: no password is what is measured. */
export async function openSessions(
  db: Database,
  players: readonly Pick<Actor, 'id' | 'username'>[],
): Promise<{ username: string; token: string }[]> {
  const entrants = players.map(({ id, username }) => ({ id, username, token: randomBytes(32).toString('base64url') }));
  await db.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
     select token_hash, account_id, now(), now(), '127.0.0.1', 'bench' from unnest($1::bytea[], $2::uuid[]) as s (token_hash, account_id)`,
    [entrants.map(({ token }) => createHash('sha256').update(token).digest()), entrants.map(({ id }) => id)],
  );
  return entrants;
}

/** Makes an API key of a network, as its admin would, and gives it with the unique ids of these players. */
export async function openKey(
  db: Database,
  { networkId }: Pick<BenchNetwork, 'networkId'>,
  players: readonly Pick<Actor, 'id'>[],
): Promise<{ token: string; players: readonly string[] }> {
  const [admin] = await db.query<{ admin_id: string }>('select admin_id from networks where id = $1', [networkId]);
  const token = newApiKey(admin!.admin_id);
  await db.query(
    `insert into api_keys (network_id, number, id, made_by, made_at, key_hash, ending, name, addresses)
     values ($1, 1, gen_random_uuid(), $2, now(), $3, 'none', 'bench', '{}')`,
    [networkId, admin!.admin_id, createHash('sha256').update(token).digest()],
  );
  const rows = await db.query<{ unique_id: string }>('select unique_id from accounts where id = any($1::uuid[])', [
    players.map(({ id }) => id),
  ]);
  return { token, players: rows.map((row) => row.unique_id) };
}

/**
 * Bets a second that the engine takes for so long, from players by chance, one line each. Throws where one is refused, but with `comeBack` for one that is told
 * to come back: it does, as clients do, and is not counted. Without `lanes`, it is a server that has just started.
 */
export async function engineRate(
  services: Services,
  players: readonly Actor[],
  seconds: number,
  { comeBack = false, lanes: running }: { comeBack?: boolean; lanes?: BetLanes } = {},
): Promise<number> {
  let failed: unknown;
  const lanes = running ?? createBetLanes(services, (error) => (failed = error));
  const from = performance.now();
  let taken = 0;
  const bettor = async (): Promise<void> => {
    while (performance.now() - from < seconds * 1000) {
      const placed = lanes.place({
        actor: players[Math.floor(Math.random() * players.length)]!,
        sessionId: undefined,
        ip: '127.0.0.1',
        gameKey: GAME,
        drawId: undefined,
        requestId: services.newId(),
        lines: [{ drawno: Math.floor(Math.random() * 10), qty: 1 }],
      });
      const isTaken = await placed.then(
        () => true,
        (error: unknown) => {
          if (comeBack && error instanceof CallError && error.code === 'NOT_READY') return false;
          throw error;
        },
      );
      if (isTaken) taken++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, bettor));
  if (failed) throw failed as Error;
  return (taken * 1000) / (performance.now() - from);
}
