import type { Cleared } from '@drawhouse/contract/clearing/clearing';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Queryable } from '../platform/db/database.ts';
import type { Period } from '../platform/time/period.ts';
import { logRange, openingsOf } from './clear-model.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import type { ClearingModel, KeepReason } from '@drawhouse/contract/clearing/clearing-texts';

interface Judged {
  readonly stays: KeepReason | null;
  readonly rows: bigint;
  /** Null if meaningless. */
  readonly amount: bigint | null;
}

const TABLES: Record<ClearingModel, readonly string[]> = {
  usertransaction: ['transfers'],
  refertransaction: ['transfers'],
  commission: ['transfers'],
  ticket: [
    'tickets',
    'player_settlements',
    'settled_remainders',
    'ticket_wins',
    'ticket_claims',
    'exposures',
    'draw_settlements',
    'draw_settlings',
    'settlement_pieces',
  ],
  result: ['activity'],
  draw: ['draws'],
  upcome: ['activity'],
  userlog: ['activity'],
  user: [],
  frequency: [],
};

export async function countModel(
  on: Queryable,
  networkId: number,
  model: ClearingModel,
  period: Period,
  others: readonly ClearingModel[],
): Promise<Cleared> {
  const judged = await judge(on, networkId, model, period, others.includes('ticket'));
  const cleared = judged.find(({ stays }) => stays === null);
  const rows = Number(cleared?.rows ?? 0n);
  return {
    model,
    rows,
    bytes: Math.round(rows * (await bytesOfRow(on, model))),
    points: cleared?.amount == null ? null : pointsOf(cleared.amount),
    left: leftOf(judged),
  };
}

export async function countLeft(
  on: Queryable,
  networkId: number,
  model: ClearingModel,
  period: Period,
): Promise<Cleared['left']> {
  return leftOf(await judge(on, networkId, model, period));
}

function leftOf(judged: readonly Judged[]): Cleared['left'] {
  return judged.flatMap(({ stays, rows }) => (stays === null ? [] : [{ rows: Number(rows), why: stays }]));
}

async function judge(
  on: Queryable,
  networkId: number,
  model: ClearingModel,
  { from, until }: Period,
  withTickets = false,
): Promise<readonly Judged[]> {
  const grouped = (rows: Sql, source: Sql): Promise<Judged[]> =>
    on.query<Judged>(sql`select stays, ${rows} from ${source} group by stays order by stays`);
  const counted = sql`count(*) as rows, null::bigint as amount`;
  switch (model) {
    case 'usertransaction':
    case 'refertransaction':
    case 'commission':
      return grouped(
        sql`count(*) as rows, sum(amount)::bigint as amount`,
        sql`judged_transfers(${networkId}, ${model}, ${from}, ${until})`,
      );
    case 'ticket':
      return grouped(
        sql`sum(tickets)::bigint as rows, null::bigint as amount`,
        sql`judged_plays(${networkId}, ${from}, ${until})`,
      );
    case 'draw': {
      const { first, last } = await openingsOf(on, networkId, { from, until });
      return grouped(counted, sql`judged_draws(${networkId}, ${from}, ${until}, ${first}, ${last}, ${withTickets})`);
    }
    case 'result':
    case 'upcome':
    case 'userlog': {
      const { first, last } = await logRange(on, networkId, { from, until });
      return grouped(counted, sql`judged_log(${networkId}, ${model}, ${from}, ${until}, ${first}, ${last})`);
    }
    case 'user':
      return grouped(counted, sql`judged_accounts(${networkId}, ${from}, ${until})`);
    case 'frequency':
      return grouped(counted, sql`judged_frequency(${networkId}, ${from}, ${until})`);
  }
}

/** Includes dependents and indexes. */
async function bytesOfRow(on: Queryable, model: ClearingModel): Promise<number> {
  const [row] = await on.query<{ bytes: number | null }>(
    sql`select (sum(pg_total_relation_size(c.oid))
             / nullif(max(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid))) filter (where c.relname =
               (${TABLES[model]}::text[])[1]), 0))::float8 as bytes
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any(${TABLES[model]}::text[])`,
  );
  return row!.bytes ?? 0;
}
