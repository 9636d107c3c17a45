import type { Queryable } from '../db/database.ts';
import type { Readable } from '../db/row.ts';

/** One check of the audit: how many rows it looked at, and a sentence for each that is wrong. */
export interface Check {
  readonly name: string;
  readonly rows: number;
  readonly problems: readonly string[];
  /** Sentences that say what could not be proved any more, because it was cleared. */
  readonly unproven?: readonly string[];
}

/** A check names so many rows, so that its memory is bounded; it says when there are more. */
export const MOST_PROBLEMS = 10_000;

/** What a check has found so far: the first problems, as many as a check names. */
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
      ? [...this.#problems, `more rows are wrong: only the first ${MOST_PROBLEMS} are named`]
      : this.#problems;
  }
}

/** The sentences of a query that has one in each row, `problem`; a row without one is none. */
export async function problemsOf(db: Queryable, sql: string, values: readonly unknown[]): Promise<readonly string[]> {
  const found = new Findings();
  for (const { problem } of await db.query<{ problem: string | null }>(`${sql} limit ${MOST_PROBLEMS + 1}`, values))
    if (problem !== null) found.add(problem);
  return found.problems;
}

/** Makes a check from SQL. */
export type CheckBySql = (name: string, checked: string, ctes: string, values?: readonly unknown[]) => Promise<Check>;

/**
 * Builds checks from SQL. `checked` is a table whose rows are those looked at; `ctes` are common table expressions, the last of them
 * `wrong`, with a row per problem: `problem` is its sentence.
 */
export function checkWith(db: Queryable): CheckBySql {
  return async (name, checked, ctes, values = []) => {
    const rows = await db.query<{ problem: string | null; checked: bigint }>(
      `with ${ctes}, counted as (select count(*) as checked from ${checked})
       select problem, checked from counted left join wrong on true limit ${MOST_PROBLEMS + 1}`,
      values,
    );
    const found = new Findings();
    for (const { problem } of rows) if (problem !== null) found.add(problem);
    return { name, rows: Number(rows[0]!.checked), problems: found.problems };
  };
}

const NIL = '00000000-0000-0000-0000-000000000000';
const PAGE_ROWS = 10_000;

/**
 * Reads the rows of a table whose key is network_id and id, in pages of 10,000. `select` ends after its FROM, `alias` names the
 * table in it; network_id and id must be among the columns.
 */
export async function* readPages<R extends { network_id: number; id: string } & Readable<R>>(
  db: Queryable,
  select: string,
  alias: string,
): AsyncGenerator<R[]> {
  for (let after: [number, string] = [0, NIL]; ;) {
    const page = await db.query<R>(
      `${select} where (${alias}.network_id, ${alias}.id) > ($1::int, $2::uuid)
       order by ${alias}.network_id, ${alias}.id limit ${PAGE_ROWS}`,
      after,
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = [last.network_id, last.id];
  }
}

/** SQL for an id in the detail of a log row, null where it is none: a row changed by hand may have anything there. */
export function loggedId(name: string): string {
  const text = `detail ->> '${name}'`;
  return `case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`;
}

/** SQL for a number with two decimals in the detail of a log row (points, percent) in hundredths, null where it is none. */
export function loggedHundredths(name: string): string {
  return `case when jsonb_typeof(detail -> '${name}') = 'number' then (detail ->> '${name}')::numeric * 100 end`;
}

/** SQL for when a log row was written by the clock of its server, which its place in the log may not let it show. */
export const LOGGED_AT = String.raw`case
  when detail ->> 'clock' ~ '^\d{4}-(0[1-9]|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$' then (detail ->> 'clock')::timestamptz
  else at end`;
