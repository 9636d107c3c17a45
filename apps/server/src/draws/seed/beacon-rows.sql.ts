import type { Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { shareBooksLock, hasOpenBooks, reopenedAt } from '../../activity/network-work/closed-books.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export interface WaitingDraw {
  readonly network_id: number;
  readonly id: string;
  readonly closes_at: Date;
  readonly beacons: readonly Beacon[];
  readonly beacon_signatures: readonly (Buffer | null)[];
}

/**
 * The close is sealed and a beacon value missing. Includes void draws for a day, to publish their hypothetical result.
 */
export async function waitingDraws(on: Queryable, now: Date): Promise<WaitingDraw[]> {
  return on.query<WaitingDraw>(
    sql`select d.network_id, d.id, d.closes_at, t.beacons, d.beacon_signatures from draws d join draw_terms t on t.id = d.terms_id
     where d.awaits_until is not null and d.root_sealed_at is not null and d.closes_at <= ${now}
       and d.closes_at > ${now}::timestamptz - interval '1 day' and d.status in ('closed', 'void')
       and d.network_id in (select id from networks) and ${hasOpenBooks('d.network_id')} ${sql.raw(crossNetworkComment('schedule'))}`.named(
      'draws-awaiting',
    ),
  );
}

/** The position is zero-based. Never overwrites. */
export async function storeSignature(
  tx: Tx,
  networkId: number,
  { ids, place, signature }: { readonly ids: readonly string[]; readonly place: number; readonly signature: Buffer },
): Promise<void> {
  if (!(await shareBooksLock(tx, networkId))) return;
  await tx.query(
    sql`select id from draws where network_id = ${networkId} and id = any(${ids}::uuid[]) order by id for update`.named(
      'draws-awaiting-lock',
    ),
  );
  const position = place + 1;
  await tx.query(
    sql`update draws set beacon_signatures[${position}::int] = ${signature}::bytea,
            awaits_until = case when array_position(beacon_signatures[:${position}::int - 1] || beacon_signatures[${position}::int + 1:],
              null) is not null then awaits_until end
     where network_id = ${networkId} and id = any(${ids}::uuid[]) and status in ('closed', 'void')
       and beacon_signatures[${position}::int] is null`.named('draws-awaiting-store'),
  );
}

export async function unsealedDraws(on: Queryable): Promise<Pick<WaitingDraw, 'network_id' | 'id'>[]> {
  return on.query(
    sql`select d.network_id, d.id from draws d
     where d.awaits_until is not null and d.outside is null and d.root_sealed_at is null and d.status in ('closed', 'void')
       and d.network_id in (select id from networks) and ${hasOpenBooks('d.network_id')} ${sql.raw(crossNetworkComment('schedule'))}`.named(
      'draws-unsealed',
    ),
  );
}

/** `upTo`: snapshot of the seals. Without it, marks all. Returns true if any changed. */
export async function noteSealedDraws(
  tx: Tx,
  networkId: number,
  { ids, upTo, now }: { readonly ids: readonly string[]; readonly upTo: string | undefined; readonly now: Date },
): Promise<boolean> {
  if (!(await shareBooksLock(tx, networkId))) return false;
  const snapshot = upTo ?? null;
  const noted = await tx.query(
    sql`update draws set root_sealed_at = ${now}
     where network_id = ${networkId} and id in (
       select id from draws where network_id = ${networkId} and id = any(${ids}::uuid[])
         and status in ('closed', 'void') and root_sealed_at is null
         and (${snapshot}::pg_snapshot is null or pg_visible_in_snapshot(written_by, ${snapshot}::pg_snapshot))
       order by id for update skip locked) returning id`.named('draws-note-sealed'),
  );
  return noted.length > 0;
}

export async function booksReopenedAt(tx: Tx, networkId: number): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(
    sql`select ${reopenedAt(sql`${networkId}`)} as at`.named('books-reopened'),
  );
  return row!.at;
}
