import { pauseAt } from '@drawhouse/rules/limits-in-force';
import type { Queryable } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { readStandings } from './protection.sql.ts';
import type { PlayerKey } from './protection.sql.ts';
import { beyondWords, pauseWords } from './protection-words.ts';
import { readSignedInMs } from './usage.ts';
import type { Today } from './usage.ts';

/**
 * Throws EXCLUDED with its end. Requires the account lock shared with exclusions, so a concurrent exclusion sees the
 * new session. Returns a notice about a break or exhausted time, else undefined.
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
