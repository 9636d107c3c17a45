import type { Queryable } from '../platform/db/database.ts';
import type { LockedCredit } from '../ledger/stakes.ts';
import type { CachedPlayer, PlayerCache } from './player-cache.ts';
import { readStandings, type PlayerKey } from './protection.sql.ts';
import { pauseAt } from '@drawhouse/rules/records/limits-in-force';
import { CallError } from '../platform/http/http-errors.ts';
import { beyondWords, pauseWords } from './protection-texts.ts';
import { readSignedInMs, type Today } from './usage.ts';

export interface ProtectedPlayer {
  readonly id: string;
  readonly wallet: LockedCredit;
  readonly known: CachedPlayer;
}

/** Requires wallet locks; reads only what the cache lacks for the wallets' change counts. */
export async function readProtected(
  on: Queryable,
  networkId: number,
  wallets: ReadonlyMap<string, LockedCredit>,
  players: PlayerCache,
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

/**
 * Requires the account lock shared with exclusions, so a concurrent exclusion sees the new session. May return a notice
 * about a break or exhausted time.
 */
export async function requireNotExcluded(on: Queryable, player: PlayerKey, today: Today): Promise<string | undefined> {
  const standing = (await readStandings(on, player.networkId, [player.id])).get(player.id);
  if (!standing) return undefined;
  const pause = pauseAt(standing, today.at);
  if (pause?.what === 'exclusion') throw new CallError('EXCLUDED', { message: pauseWords(pause, today.timeZone) });
  if (pause) return pauseWords(pause, today.timeZone);
  const { minutesPerDay } = standing;
  if (minutesPerDay === null) return undefined;
  const usedMs = (await readSignedInMs(on, [player.id], new Set(), today)).get(player.id) ?? 0;
  return BigInt(usedMs) < minutesPerDay * 60_000n ? undefined : beyondWords('minutesPerDay', minutesPerDay, 0n).message;
}
