import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { sql } from '../platform/db/sql/sql.ts';

/** `whole`: audit command. `daily`: balance check only. */
type Scope = 'whole' | 'daily';

export interface StoredVerdict {
  readonly scope: Scope;
  readonly at: Date;
  readonly checks: number;
  readonly problems: number;
  readonly finding: string | null;
}

export interface CheckedPart {
  readonly problems: readonly string[];
}

const FINDING_MAX = 500;

export async function keepVerdict(
  on: Queryable,
  { clock, newId }: Pick<Services, 'clock' | 'newId'>,
  scope: Scope,
  checks: readonly CheckedPart[],
): Promise<void> {
  const problems = checks.flatMap((check) => check.problems);
  await on.query(
    sql`insert into audit_verdicts (id, at, scope, checks, problems, finding)
      values (${newId()}, ${clock.now()}, ${scope}, ${checks.length}, ${problems.length}, ${problems[0]?.slice(0, FINDING_MAX) ?? null})`,
  );
}

/** Undefined until the first day with a transfer is over. */
export async function firstVerdictAt(on: Queryable): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(sql`select min(at) as at from audit_verdicts`);
  return row?.at ?? undefined;
}

export async function lastVerdicts(on: Queryable): Promise<Readonly<Record<Scope, StoredVerdict | undefined>>> {
  const rows = await on.query<StoredVerdict>(
    sql`select distinct on (scope) scope, at, checks, problems, finding from audit_verdicts order by scope, at desc, id desc`,
  );
  const of = (scope: Scope): StoredVerdict | undefined => rows.find((row) => row.scope === scope);
  return { whole: of('whole'), daily: of('daily') };
}
