import type { Queryable } from '../platform/db/database.ts';
import { sql, type Readable, type Sql } from '../platform/db/sql/sql.ts';

export interface Check {
  readonly name: string;
  readonly rows: number;
  readonly problems: readonly string[];
  /** Facts that clearing made unprovable. */
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

export type CheckBySql = (name: string, checked: string, ctes: string | Sql) => Promise<Check>;

/** `checked`: the table examined. `ctes` must end with `wrong`, one row per problem with its sentence in `problem`. */
export function checkWith(db: Queryable): CheckBySql {
  return async (name, checked, ctes) => {
    const before = typeof ctes === 'string' ? sql.raw(ctes) : ctes;
    const rows = await db.query<{ problem: string | null; checked: bigint }>(
      sql`with ${before}, counted as (select count(*) as checked from ${sql.raw(checked)})
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
  select: string,
  alias: string,
): AsyncGenerator<R[]> {
  const a = sql.raw(alias);
  for (let after: [number, string] = [0, NIL]; ;) {
    const page = await db.query<R>(
      sql`${sql.raw(select)} where (${a}.network_id, ${a}.id) > (${after[0]}::int, ${after[1]}::uuid)
       order by ${a}.network_id, ${a}.id limit ${PAGE_ROWS}`,
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = [last.network_id, last.id];
  }
}

/** SQL: an id in a log row's detail. Null if malformed by manual changes. */
export function loggedId(name: string): string {
  const text = `detail ->> '${name}'`;
  return `case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`;
}

/** SQL: a two-decimal number in a log row's detail, in hundredths. Null if malformed. */
export function loggedHundredths(name: string): string {
  return `case when jsonb_typeof(detail -> '${name}') = 'number' then (detail ->> '${name}')::numeric * 100 end`;
}

/** Server clock time. The recorded time can differ, to keep the log ordered. */
export const LOGGED_AT = String.raw`case
  when detail ->> 'clock' ~ '^\d{4}-(0[1-9]|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$' then (detail ->> 'clock')::timestamptz
  else at end`;
