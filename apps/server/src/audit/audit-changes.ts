import { CHANGED_ROWS, STANDS_IN_NO_LOG } from '@drawhouse/rules/unlogged-changes';
import type { Queryable } from '../db/database.ts';
import { checkWith } from './audit-check.ts';
import type { Check } from './audit-check.ts';

/** Whatever changes what people change was logged with it: of each row, what changed it last. What changed it before was held against the log as it was sealed (`readWritten`). */
export async function auditChanges(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'everything that people change was last changed by what stands in the log',
    'changed',
    `changed as materialized (${[...CHANGED_ROWS.values()].join(' union all ')}), wrong as (
       select format('%s was changed by something that stands in no log', what) as problem from changed c
       where network_id is distinct from audited.trial(1) and ${STANDS_IN_NO_LOG}
     )`,
  );
}
