import { CAME, CHANGED_ROWS, STANDS_IN_NO_LOG } from '@drawhouse/rules/unlogged-changes';
import type { Queryable } from '../db/database.ts';
import { checkWith } from './audit-check.ts';
import type { Check } from './audit-check.ts';

/** The log names whatever people change: of each row, its last change. Changes before that were compared as they were sealed (`readWritten`, `NamedChanges`). */
export async function auditChanges(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'everything that people change was last changed by what stands in the log',
    'changed',
    `${CAME}, changed as materialized (${[...CHANGED_ROWS.values()].join(' union all ')}), wrong as (
       select format('%s was changed by something that stands in no log', what) as problem from changed c
       where network_id is distinct from audited.trial(1) and ${STANDS_IN_NO_LOG}
       union all
       select format('%s (%s) was %s by transaction %s, and no row of the log names that', of_table, replace(key, E'\\t', ', '),
                     coalesce('changed in ' || array_to_string(fields, ', '), 'added or removed'), written_by)
       from pending_changes where written_by > (select min(written_by) from activity)
     )`,
  );
}
