import { GrowingTree } from '@drawhouse/rules/merkle';
import { appendNobodys, SYSTEM } from '../activity/append-activity.ts';
import { changeOf } from '../activity/changes.ts';
import { BATCH_AT, batchOf, openingLeaf } from '@drawhouse/rules/openings';
import type { Opening } from '@drawhouse/rules/openings';
import type { Tx } from '../db/database.ts';
import { NOWHERE } from '../http/handler.ts';
import type { Services } from '../services.ts';

/** What the log keeps of draws of a network that opened together. */
interface OpenedTogether {
  /** How the ids of these draws end, and of no others. */
  readonly batch: string;
  /** How many there are. */
  readonly draws: number;
  /** The root of the tree over what each was opened as, in order of their ids, 64 hex digits. */
  readonly root: string;
}

/**
 * Makes the ids of draws of a network that open together: they rise, and end alike, as those of no others do (62 random bits). So the log
 * need not name each of them, nor each of them a row of the log.
 */
export function idsOfBatch({ newId }: Pick<Services, 'newId'>): () => string {
  const batch = batchOf(newId());
  return () => newId().slice(0, BATCH_AT) + batch;
}

/**
 * Tells the log of a network which draws of it open in this transaction: their number and the root of a tree over their commitments, times and
 * terms. Whoever exchanges the seed of a draw later contradicts the log. The row is nobody's and has no chain: no list of what people did has it.
 */
export async function logOpenings(
  tx: Tx,
  services: Pick<Services, 'clock' | 'newId'>,
  networkId: number,
  opened: readonly Opening[],
): Promise<void> {
  if (opened.length === 0) return;
  const tree = new GrowingTree();
  for (const draw of opened.toSorted((a, b) => (a.id < b.id ? -1 : 1))) tree.addLeaf(openingLeaf(draw));
  const root = Buffer.from(tree.root()).toString('hex');
  const told: OpenedTogether = { batch: batchOf(opened[0]!.id), draws: tree.size, root };
  await appendNobodys(tx, networkId, services, {
    accountId: null,
    username: SYSTEM,
    subject: tree.size === 1 ? 'Opened a draw' : `Opened ${tree.size} draws`,
    origin: NOWHERE,
    detail: { opened: told },
    changes: changeOf('Root of what they were opened as', null, root),
  });
}
