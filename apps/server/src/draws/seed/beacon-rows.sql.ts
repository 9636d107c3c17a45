import type { Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { enterBooks, hasOpenBooks, reopenedAt } from '../../activity/network-work/closed-books.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';

export interface WaitingDraw {
  readonly network_id: number;
  readonly id: string;
  readonly closes_at: Date;
  readonly beacons: readonly Beacon[];
  readonly beacon_signatures: readonly (Buffer | null)[];
}

/**
 * Draws with a sealed close and a missing beacon value. Includes void draws for a day, to publish their hypothetical
 * result.
 */
export async function waitingDraws(on: Queryable, now: Date): Promise<WaitingDraw[]> {
  return on.query<WaitingDraw>(
    `select d.network_id, d.id, d.closes_at, t.beacons, d.beacon_signatures from draws d join draw_terms t on t.id = d.terms_id
     where d.awaits_until is not null and d.root_sealed_at is not null and d.closes_at <= $1
       and d.closes_at > $1 - interval '1 day' and d.status in ('closed', 'void')
       and d.network_id in (select id from networks) and ${hasOpenBooks('d.network_id')} ${crossNetworkComment('schedule')}`,
    [now],
    'draws-awaiting',
  );
}

/** Stores a beacon value at a zero-based position. Never overwrites. */
export async function storeSignature(
  tx: Tx,
  networkId: number,
  { ids, place, signature }: { readonly ids: readonly string[]; readonly place: number; readonly signature: Buffer },
): Promise<void> {
  if (!(await enterBooks(tx, networkId))) return;
  await tx.query(
    'select id from draws where network_id = $1 and id = any($2::uuid[]) order by id for update',
    [networkId, ids],
    'draws-awaiting-lock',
  );
  await tx.query(
    `update draws set beacon_signatures[$3::int] = $4::bytea,
            awaits_until = case when array_position(beacon_signatures[:$3::int - 1] || beacon_signatures[$3::int + 1:],
              null) is not null then awaits_until end
     where network_id = $1 and id = any($2::uuid[]) and status in ('closed', 'void') and beacon_signatures[$3::int] is null`,
    [networkId, ids, place + 1, signature],
    'draws-awaiting-store',
  );
}

/** Closed or void draws with beacons whose close is not yet known to be sealed. */
export async function unsealedDraws(on: Queryable): Promise<Pick<WaitingDraw, 'network_id' | 'id'>[]> {
  return on.query(
    `select d.network_id, d.id from draws d
     where d.awaits_until is not null and d.root_sealed_at is null and d.status in ('closed', 'void')
       and d.network_id in (select id from networks) and ${hasOpenBooks('d.network_id')} ${crossNetworkComment('schedule')}`,
    [],
    'draws-unsealed',
  );
}

/** Marks closes shown by a seal snapshot as sealed. Without `upTo`, marks all. Returns true if any changed. */
export async function noteSealedDraws(
  tx: Tx,
  networkId: number,
  { ids, upTo, now }: { readonly ids: readonly string[]; readonly upTo: string | undefined; readonly now: Date },
): Promise<boolean> {
  if (!(await enterBooks(tx, networkId))) return false;
  const noted = await tx.query(
    `update draws set root_sealed_at = $3
     where network_id = $1 and id in (
       select id from draws where network_id = $1 and id = any($2::uuid[]) and status in ('closed', 'void') and root_sealed_at is null
         and ($4::pg_snapshot is null or pg_visible_in_snapshot(written_by, $4::pg_snapshot)) order by id for update skip locked) returning id`,
    [networkId, ids, now, upTo ?? null],
    'draws-note-sealed',
  );
  return noted.length > 0;
}

/** Null: never reopened. */
export async function booksReopenedAt(tx: Tx, networkId: number): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(`select ${reopenedAt('$1')} as at`, [networkId], 'books-reopened');
  return row!.at;
}
