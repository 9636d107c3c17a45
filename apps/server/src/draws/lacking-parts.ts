import type { Queryable } from '../db/database.ts';
import { readKeptParts } from '../keepers/draw-keepers.sql.ts';
import { OF_DRAND, readFaults } from '../keepers/wrong-answers.sql.ts';
import type { DrawRow } from './draws.sql.ts';

/**
 * Which parts of a draw's seed have not come in time, by the names of who was to give them, and what they answered instead where that was wrong: as the reason why it is
 * void, `other.example did not release its part of the seed in time`.
 */
export async function lackingWords(
  on: Queryable,
  { network_id, id, kept }: Pick<DrawRow, 'network_id' | 'id' | 'kept'>,
): Promise<string> {
  const parts = await readKeptParts(on, network_id, [id]);
  const faults = new Map((await readFaults(on, network_id, id)).map(({ place, reason }) => [place, reason]));
  const because = (place: number): string => (faults.has(place) ? ` (${faults.get(place)})` : '');
  return parts
    .flatMap(({ place, seed, round, signature }) => {
      if (place === null) return signature ? [] : [`round ${round} of drand did not come in time${because(OF_DRAND)}`];
      const name = kept?.keepers[place]?.name ?? 'a keeper';
      return seed ? [] : [`${name} did not release its part of the seed in time${because(place)}`];
    })
    .join('; ');
}
