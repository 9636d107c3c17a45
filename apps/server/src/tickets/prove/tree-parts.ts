import { LRUCache } from 'lru-cache';
import type { Reader } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { readTicketTrees } from './ticket-tree.ts';
import type { DrawKey, TreeParts } from './ticket-tree.ts';

/** Enough for 170 million tickets. */
const KEPT_BYTES = 8 * 1024 * 1024;
const MOST_WAIT = 50;

export interface TreePartsCache {
  /** Computes parts on a miss. Throws NOT_READY if the queue is full. */
  of(draw: DrawKey): Promise<TreeParts>;
}

/**
 * Closed draws never change, so entries stay valid. Computes one draw at a time on the patient pool to bound PostgreSQL
 * load.
 */
export function createTreePartsCache(db: { readonly patient: Reader }): TreePartsCache {
  const known = new LRUCache<string, TreeParts>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ firsts, roots }) => Math.max(1, firsts.length + roots.length),
  });
  const computing = new Map<string, Promise<TreeParts>>();
  let last: Promise<unknown> = Promise.resolve();

  function compute(draw: DrawKey): Promise<TreeParts> {
    if (computing.size >= MOST_WAIT)
      throw new CallError('NOT_READY', {
        message: 'Too many receipts requested. Please try again in a moment.',
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
