import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

interface LoggedAct {
  readonly by: Sql;
  readonly of: 'transferId' | 'drawId';
  readonly id: Sql;
  readonly from: Sql;
  readonly until?: Sql;
  /** Column of log row `l`. Default: the name. */
  readonly column?: Sql;
}

/**
 * For example `anita1111 / Meera`, from the sealed log, because draws and transfers name accounts only. Null if the log
 * of that time is cleared.
 */
export function loggedPerson({ by, of, id, from, until = from, column = sql`l.username` }: LoggedAct): Sql {
  return sql`(select ${column} from activity l where l.account_id = ${by}
    and l.id >= least_id(${from} - interval '1 minute') and l.id <= least_id(${until} + interval '1 minute')
    and l.detail ->> ${sql.raw(`'${of}'`)} = ${id}::text order by l.id desc limit 1 ${sql.raw(crossNetworkComment('named'))})`;
}

export const SAVED_BY: Sql = sql`case when d.saved_by is not null then coalesce(
  ${loggedPerson({ by: sql`d.saved_by`, of: 'drawId', id: sql`d.id`, from: sql`d.saved_at` })},
  (select username from accounts where id = d.saved_by)) end`;

export const CONFIRMED_BY: Sql = sql`case when d.confirmed_by is not null then coalesce(
  ${loggedPerson({
    by: sql`d.confirmed_by`,
    of: 'drawId',
    id: sql`d.id`,
    from: sql`d.saved_at`,
    until: sql`coalesce(d.awaits_until, d.draws_at)`,
  })},
  (select username from accounts where id = d.confirmed_by)) end`;
