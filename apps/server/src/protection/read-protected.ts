import type { Queryable } from '../db/database.ts';
import type { LockedCredit } from '../ledger/stakes.ts';
import type { KnownPlayer, KnownPlayers } from './known-players.ts';
import { readStandings } from './protection.sql.ts';

/**
 * Those of some players who are protected, by account. Their wallets are locked, as every change of their protection locks them, and tell how many changes there
 * were: only what this server does not know of the latest one is read.
 */
export async function readProtected(
  on: Queryable,
  networkId: number,
  wallets: ReadonlyMap<string, Pick<LockedCredit, 'protection'>>,
  known: KnownPlayers,
): Promise<Map<string, KnownPlayer>> {
  const players = new Map<string, KnownPlayer>();
  const unknown: string[] = [];
  for (const [id, { protection }] of wallets) {
    if (protection === 0) continue;
    const player = known.find({ networkId, id }, protection);
    if (player) players.set(id, player);
    else unknown.push(id);
  }
  if (unknown.length === 0) return players;
  for (const [id, standing] of await readStandings(on, networkId, unknown))
    players.set(id, known.learn({ networkId, id }, wallets.get(id)!.protection, standing));
  return players;
}
