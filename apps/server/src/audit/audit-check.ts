import type { Queryable } from '../platform/db/database.ts';
import { sql, type Readable, type Sql } from '../platform/db/sql/sql.ts';

export interface Check {
  readonly name: string;
  readonly rows: number;
  readonly problems: readonly string[];
  readonly unproven?: readonly string[];
}

export const MOST_PROBLEMS = 10_000;

export class Findings {
  readonly #problems: string[] = [];
  #found = 0;

  add(problem: string): void {
    if (++this.#found <= MOST_PROBLEMS) this.#problems.push(problem);
  }

  addAll(problems: readonly string[]): void {
    for (const problem of problems) this.add(problem);
  }

  get problems(): readonly string[] {
    return this.#found > MOST_PROBLEMS
      ? [...this.#problems, `more rows are wrong: only the first ${MOST_PROBLEMS} are listed`]
      : this.#problems;
  }
}

export async function problemsOf(db: Queryable, statement: Sql): Promise<readonly string[]> {
  const found = new Findings();
  for (const { problem } of await db.query<{ problem: string | null }>(sql`${statement} limit ${MOST_PROBLEMS + 1}`))
    if (problem !== null) found.add(problem);
  return found.problems;
}

export type CheckBySql = (name: string, checked: string, ctes: Sql) => Promise<Check>;

/** `checked`: the table examined. `ctes` must end with `wrong`, one row per problem with its sentence in `problem`. */
export function checkWith(db: Queryable): CheckBySql {
  return async (name, checked, ctes) => {
    const rows = await db.query<{ problem: string | null; checked: bigint }>(
      sql`with ${ctes}, counted as (select count(*) as checked from ${sql.raw(checked)})
       select problem, checked from counted left join wrong on true limit ${MOST_PROBLEMS + 1}`,
    );
    const found = new Findings();
    for (const { problem } of rows) if (problem !== null) found.add(problem);
    return { name, rows: Number(rows[0]!.checked), problems: found.problems };
  };
}

const NIL = '00000000-0000-0000-0000-000000000000';
const PAGE_ROWS = 10_000;

/**
 * Pages by (network_id, id), 10,000 rows each. `select` ends after FROM, names the table `alias` and includes the key.
 */
export async function* readPages<R extends { network_id: number; id: string } & Readable<R>>(
  db: Queryable,
  select: Sql,
  alias = 'd',
): AsyncGenerator<R[]> {
  const a = sql.raw(alias);
  for (let after: [number, string] = [0, NIL]; ;) {
    const page = await db.query<R>(
      sql`${select} where (${a}.network_id, ${a}.id) > (${after[0]}::int, ${after[1]}::uuid)
       order by ${a}.network_id, ${a}.id limit ${PAGE_ROWS}`,
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = [last.network_id, last.id];
  }
}

/** SQL: an id in a log row's detail. Null if malformed by manual changes. */
export function loggedId(name: string): Sql {
  const text = sql.raw(`detail ->> '${name}'`);
  return sql`case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`;
}

/** SQL: a two-decimal number in a log row's detail, in hundredths. Null if malformed. */
export function loggedHundredths(name: string): Sql {
  const key = sql.raw(`'${name}'`);
  return sql`case when jsonb_typeof(detail -> ${key}) = 'number' then (detail ->> ${key})::numeric * 100 end`;
}

/** Server clock time. The recorded time can differ, to keep the log ordered. */
export const LOGGED_AT = sql`case
  when detail ->> 'clock' ~ '^\\d{4}-(0[1-9]|1[0-2])-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d\\.\\d{3}Z$' then (detail ->> 'clock')::timestamptz
  else at end`;

type MarkedAbout = 'credit' | 'winnings' | 'commission' | 'collect' | 'claim' | 'ordered';

export const amountMark = (amount: string, reference: string, account: string): Sql =>
  sql.raw(`(hashint8extended(${amount}, uuid_hash_extended(${reference}, uuid_hash_extended(${account}, 0))) >> 2)`);

export const orderMark = (transfer: string): Sql => sql.raw(`(uuid_hash_extended(${transfer}, 0) >> 2)`);

/** Longest wait of a ticket bought ahead; related rows can be this much older. */
const OPEN_FOR = "interval '62 days'";

/** Only selects which problems to name. */
export const mayBeCleared = (network: string, at: string, models: readonly string[]): Sql =>
  sql.raw(`exists (select from clearings cl where cl.network_id = ${network} and cl.model in ('${models.join("', '")}')
     and ${at} >= cl.starts_at - ${OPEN_FOR} and ${at} < cl.ends_at)`);

interface OneSided {
  readonly about: MarkedAbout;
  readonly what: string;
  /** Clearing these models removes either side. */
  readonly models: readonly string[];
  /** Network of the cleared row, as SQL. Default: its own. */
  readonly clearedIn?: string;
  /** `(network_id, marks)`. Default: each network's. */
  readonly marks?: string;
}

/**
 * CTEs `off` and `unexplained (problem)` over `one_sided (network_id, mark, at, problem)`: entries without counterpart,
 * with marks signed by side. If a network's sum plus its cleared marks is zero, clearing explains them all. Otherwise
 * names entries that clearing cannot explain or, failing that, the network.
 */
export function explainByClearing({ about, what, models, marks, clearedIn = 'network_id' }: OneSided): Sql {
  const kept = sql.raw(marks ?? `(select * from cleared_marks where about = '${about}')`);
  return sql`off as materialized (
    select network_id from (
      select network_id, mark::numeric from one_sided
      union all select network_id, coalesce(marks, 0) from ${kept} as kept
    ) as both_sides group by network_id having sum(mark) <> 0
  ), named as materialized (
    select network_id, o.problem from one_sided o join off using (network_id)
    where not ${mayBeCleared(clearedIn, 'coalesce(o.at, now())', models)}
  ), unexplained as (
    select problem from named
    union all
    select format('network %s: what was cleared does not account for the ${sql.raw(what)} that are missing', network_id) from off
    where not exists (select from named where named.network_id = off.network_id)
  )`;
}
