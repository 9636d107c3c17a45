import type { Reader } from '../db/database.ts';
import { CallError } from '../http/errors.ts';
import { computeTicketTrees } from './ticket-tree.ts';
import type { DrawKey, TreeParts } from './ticket-tree.ts';

/** So much of parts is kept at hand: those of 170 million tickets. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** So many draws may wait for theirs to be computed; what comes then is told to come back. */
const MOST_WAIT = 50;

/** The parts of the trees of closed draws, kept at hand for whoever asks for the next path. */
export interface KnownParts {
  /** Those of a draw, computed if need be. Throws NOT_READY where too many draws wait for that. */
  of(draw: DrawKey): Promise<TreeParts>;
}

/**
 * Builds the store. Nothing about a closed draw changes, so what was computed once holds for ever. One draw is computed at a time, on the
 * connections of what may take long: whoever asks for many takes no more of PostgreSQL than that.
 */
export function createKnownParts(db: { readonly patient: Reader }): KnownParts {
  const known = new Map<string, TreeParts>();
  const computing = new Map<string, Promise<TreeParts>>();
  let keptBytes = 0;
  let last: Promise<unknown> = Promise.resolve();

  function keep(drawId: string, parts: TreeParts): void {
    known.set(drawId, parts);
    keptBytes += sizeOf(parts);
    for (const [id, oldest] of known) {
      if (keptBytes <= KEPT_BYTES || id === drawId) break;
      known.delete(id);
      keptBytes -= sizeOf(oldest);
    }
  }

  function compute(draw: DrawKey): Promise<TreeParts> {
    if (computing.size >= MOST_WAIT)
      throw new CallError('NOT_READY', { message: 'Too many receipts are asked for. Please try again in a moment.' });
    const result = last.then(async () => {
      const { parts } = (await computeTicketTrees(db.patient, [draw])).get(draw.id)!;
      keep(draw.id, parts);
      return parts;
    });
    computing.set(draw.id, result);
    last = result.catch(() => {}).finally(() => computing.delete(draw.id));
    return result;
  }

  return {
    async of(draw) {
      const parts = known.get(draw.id);
      if (!parts) return computing.get(draw.id) ?? compute(draw);
      // The latest come last.
      known.delete(draw.id);
      known.set(draw.id, parts);
      return parts;
    },
  };
}

function sizeOf({ firsts, roots }: TreeParts): number {
  return firsts.length + roots.length;
}
