import { LRUCache } from 'lru-cache';
import type { Reader } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { readTicketTrees } from './ticket-tree.ts';
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
  const known = new LRUCache<string, TreeParts>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ firsts, roots }) => Math.max(1, firsts.length + roots.length),
  });
  const computing = new Map<string, Promise<TreeParts>>();
  let last: Promise<unknown> = Promise.resolve();

  function compute(draw: DrawKey): Promise<TreeParts> {
    if (computing.size >= MOST_WAIT)
      throw new CallError('NOT_READY', {
        message: 'Too many receipts are being asked for. Please try again in a moment.',
      });
    const result = last.then(async () => {
      const { parts } = (await readTicketTrees(db.patient, draw.network_id, [draw.id], draw)).get(draw.id)!;
      known.set(keyOf(draw), parts);
      return parts;
    });
    computing.set(keyOf(draw), result);
    last = result.catch(() => {}).finally(() => computing.delete(keyOf(draw)));
    return result;
  }

  return {
    async of(draw) {
      const key = keyOf(draw);
      return known.get(key) ?? computing.get(key) ?? compute(draw);
    },
  };
}

const keyOf = ({ id, isUndone }: DrawKey): string => (isUndone ? `${id} undone` : id);
