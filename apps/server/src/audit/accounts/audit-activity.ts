import { createHash } from 'node:crypto';
import type { Queryable } from '../../platform/db/database.ts';
import { activityText, type ActivityRow } from '@drawhouse/rules/records/activity-row';
import { DEPARTURES } from '../books/audit-restores-and-moves.ts';
import { checkWith, Findings, loggedId, type Check } from '../audit-check.ts';
import { ROOT } from '../audited-kinds.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const NO_HASH = Buffer.alloc(32);

export async function auditActivity(db: Queryable): Promise<Check[]> {
  return [await auditHashes(db), await auditChains(db)];
}

/** Cleared log rows; the chain continues from the last one's hash. */
interface Gap {
  readonly network_id: number;
  readonly first_seq: bigint;
  readonly last_seq: bigint;
  readonly last_hash: Buffer;
}

interface Head {
  readonly network_id: number;
  readonly seq: bigint;
  readonly hash: Buffer;
  readonly last_at: Date | null;
  readonly last_id: string | null;
}

/** Reports rows changed, added, removed, or cut off at the end. */
async function auditHashes(db: Queryable): Promise<Check> {
  const heads = await db.query<Head>(sql`select * from activity_heads order by network_id`);
  const orphans = await db.query<{ network_id: number }>(
    sql`select distinct network_id from activity where network_id not in (select network_id from activity_heads)`,
  );
  const found = new Findings();
  for (const row of orphans) found.add(`activity of network ${row.network_id}: its head is missing`);
  const gaps = Map.groupBy(
    await db.query<Gap>(
      sql`select network_id, first_seq, last_seq, last_hash from activity_gaps order by network_id, first_seq`,
    ),
    (gap) => gap.network_id,
  );
  let rows = 0;
  for (const head of heads) {
    const waiting = gaps.get(head.network_id) ?? [];
    let previous: Buffer = NO_HASH;
    let expected = 1n;
    let last: Pick<ActivityRow, 'id' | 'at'> | undefined;
    for (;;) {
      const page: (ActivityRow & { hash: Buffer })[] = await db.query(
        sql`select seq, id, at, account_id, username, subject, url, method, ip, detail, hash from activity
         where network_id = ${head.network_id} and seq >= ${expected} order by seq limit 10000`,
      );
      for (const row of page) {
        const name = `activity of network ${head.network_id}: row ${row.seq}`;
        while (waiting[0]?.first_seq === expected) {
          const gap = waiting.shift()!;
          previous = gap.last_hash;
          expected = gap.last_seq + 1n;
        }
        if (row.seq !== expected) found.add(`${name}: the rows from ${expected} to ${row.seq - 1n} are missing`);
        else if (!createHash('sha256').update(previous).update(activityText(row)).digest().equals(row.hash))
          found.add(`${name} was changed`);
        previous = row.hash;
        expected = row.seq + 1n;
        last = row;
        rows++;
      }
      if (page.length < 10_000) break;
    }
    for (const gap of waiting)
      found.add(
        `activity of network ${head.network_id}: the rows from ${gap.first_seq} to ${gap.last_seq} were ` +
          `cleared, and do not follow row ${gap.first_seq - 1n}`,
      );
    const intact = expected === head.seq + 1n && previous.equals(head.hash);
    if (!intact)
      found.add(
        `activity of network ${head.network_id}: the log ends at row ${expected - 1n}, but its head says ${head.seq}`,
      );
    // The next row derives its time and id from these.
    else if (last && (head.last_id !== last.id || head.last_at?.getTime() !== last.at.getTime()))
      found.add(
        `activity of network ${head.network_id}: the last row is ${last.id} of ${last.at.toISOString()}, but ` +
          `its head says ${head.last_id} of ${head.last_at?.toISOString() ?? 'no time'}`,
      );
  }
  return { name: 'the activity log is complete and unchanged', rows, problems: found.problems };
}

/** After logged moves, ancestors are unknown and only the actor is compared. */
function auditChains(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every log row is visible to the accounts above its author',
    'activity',
    sql`moved as materialized (
       select ${loggedId('accountId')} as id from activity where detail ? 'refId'
     ), judged as (
       select l.network_id, l.seq, l.chain, coalesce(a.chain, '{}') as expected
       from activity l left join networks n on n.id = l.network_id left join accounts a on a.id = coalesce(
         l.account_id, case when detail ? 'opened' and l.account_id is null then null
           when l.network_id <> ${ROOT} then n.admin_id else (select id from accounts where role = 'superadmin'
             order by id limit 1) end)
     ), wrong as (
       select format('activity of network %s: row %s is of %s; its author is %s', network_id, seq, chain, expected) as problem
       from judged
       where chain <> expected
         -- Its author left for another cell.
         and not (network_id = ${ROOT} and expected = '{}'
           and chain[2]::text in (select admin_id from (${DEPARTURES}) as left_networks))
         and not (chain[cardinality(chain)] is not distinct from expected[cardinality(expected)]
                  and exists (select from moved where moved.id = any(chain)))
     )`,
  );
}
