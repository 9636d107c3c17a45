import type { Queryable } from '../platform/db/database.ts';
import type { LockedCredit } from '../ledger/stakes.ts';
import type { KnownPlayer, KnownPlayers } from './known-players.ts';
import { readStandings } from './protection.sql.ts';

export interface ProtectedPlayer {
  readonly id: string;
  readonly wallet: LockedCredit;
  readonly known: KnownPlayer;
}

/** Returns protected players. Requires wallet locks; reads only what the cache lacks for the wallets' change counts. */
export async function readProtected(
  on: Queryable,
  networkId: number,
  wallets: ReadonlyMap<string, LockedCredit>,
  players: KnownPlayers,
): Promise<ProtectedPlayer[]> {
  const found: ProtectedPlayer[] = [];
  const unknown: string[] = [];
  for (const [id, wallet] of wallets) {
    if (wallet.protection === 0) continue;
    const known = players.find({ networkId, id }, wallet.protection);
    if (known) found.push({ id, wallet, known });
    else unknown.push(id);
  }
  if (unknown.length === 0) return found;
  for (const [id, standing] of await readStandings(on, networkId, unknown)) {
    const wallet = wallets.get(id)!;
    found.push({ id, wallet, known: players.learn({ networkId, id }, wallet.protection, standing) });
  }
  return found;
}
