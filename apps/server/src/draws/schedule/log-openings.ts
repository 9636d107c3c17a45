import { GrowingTree } from '@drawhouse/rules/fair/merkle';
import { appendSystemRow, SYSTEM } from '../../activity/append-activity.ts';
import { changeOf } from '../../activity/changes.ts';
import { BATCH_AT, batchOf, openingLeaf } from '@drawhouse/rules/fair/openings';
import type { Opening } from '@drawhouse/rules/fair/openings';
import type { Tx } from '../../platform/db/database.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';

interface OpenedTogether {
  readonly batch: string;
  readonly draws: number;
  /** Merkle root over opening data in id order, 64 hex digits. */
  readonly root: string;
}

/** Generates ascending ids with a shared 62-bit random suffix, so one log row covers a whole batch. */
export function idsOfBatch({ newId }: Pick<Services, 'newId'>): () => string {
  const batch = batchOf(newId());
  return () => newId().slice(0, BATCH_AT) + batch;
}

/**
 * Logs this transaction's openings: count and Merkle root over commitments, times and terms. Swapping a seed later
 * contradicts the log. Without actor or subtree, so activity lists omit the row.
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
  await appendSystemRow(tx, networkId, services, {
    accountId: null,
    username: SYSTEM,
    subject: tree.size === 1 ? 'Opened a draw' : `Opened ${tree.size} draws`,
    origin: NOWHERE,
    detail: { opened: told },
    changes: changeOf('Root of the opening records', null, root),
  });
}
