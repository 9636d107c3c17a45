import { createHash, randomBytes } from 'node:crypto';
import { newApiKey } from '../../../apps/server/src/api-keys/authenticate-key.ts';
import type { Actor } from '../../../apps/server/src/accounts/authority.ts';
import { systemClock } from '../../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import type { Services } from '../../../apps/server/src/platform/services.ts';
import { CallError } from '../../../apps/server/src/platform/http/http-errors.ts';
import { createBetLanes, type BetLanes } from '../../../apps/server/src/tickets/place/lanes/bet-lanes.ts';
import { makeNetwork, type BenchNetwork } from '../fixtures/bench-network.ts';
import { setDrawInterval } from '../../../tools/demo/plan.ts';

export interface Scale {
  /** `seconds`: per contestant and round. */
  readonly seconds: number;
  readonly socketSeconds: number;
  readonly rounds: number;
  readonly players: number;
  /** `winners`: timed settlement. `tickets`: settlement with concurrent bets. */
  readonly winners: number;
  readonly tickets: number;
  readonly unsettled: number;
  readonly stored: readonly number[];
  readonly crowds: readonly number[];
}

/** Scale of docs/performance.md. */
export const FULL: Scale = {
  seconds: 5,
  socketSeconds: 60,
  rounds: 5,
  players: 10_000,
  winners: 50_000,
  tickets: 500_000,
  unsettled: 20_000,
  stored: [1_000_000, 10_000_000],
  crowds: [1_000, 10_000, 100_000],
};

/** All bets of a draw contend for ten sums. */
export const GAME = 'funtargetbingo';
/** Runs during the first game's settlement. */
export const OTHER_GAME = 'lucky10fruit';
export const CREDIT = 1_000_000_000n;
export const DAY_SECONDS = 86_400;
/** Enough for full batches. */
export const IN_FLIGHT = 2_000;

export async function makeField(db: Database, players: number, prefix = ''): Promise<BenchNetwork> {
  const games = [GAME, OTHER_GAME];
  const network = await makeNetwork(db, { games, players, credit: CREDIT, prefix, clock: systemClock });
  for (const game of [GAME, OTHER_GAME]) await setDrawInterval(db, game, DAY_SECONDS);
  await network.machine.tick();
  await db.query('vacuum analyze');
  return network;
}

/** Skips password hashing. */
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
 * Throws on refusal; `comeBack` retries bets that must wait and leaves them out. Without `lanes`, measures a cold
 * server.
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
