import { checkWith, loggedId, LOGGED_AT } from './audit-check.ts';
import type { Check } from './audit-check.ts';
import type { Queryable } from '../db/database.ts';

/**
 * Nobody is the second person for an account whose password they set in the 7 days before, nor it for them: what `requireSecondPerson` sees to
 * when a result is confirmed, found again in the logs.
 */
export function auditSecondPersons(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every confirmed result is of two persons',
    'confirmed',
    `confirmed as materialized (
       select d.network_id, d.id, d.saved_by, d.confirmed_by, ${LOGGED_AT} as at
       from audited.standing_activity l join draws d on d.id = ${loggedId('drawId')} and d.confirmed_by = l.account_id
       where l.detail -> 'confirms' = 'true'::jsonb
     ), given as materialized (
       select ${loggedId('accountId')} as account_id, account_id as by, ${LOGGED_AT} as at
       from audited.standing_activity where detail ? 'accountId' and account_id is not null and (detail ->> 'password' = 'changed' or detail ? 'parentId')
     ), wrong as (
       select distinct format('draw %s of network %s was saved by %s and confirmed by %s, of whom one had set the password of the other at %s',
                              c.id, c.network_id, c.saved_by, c.confirmed_by, g.at) as problem
       from confirmed c join given g on (g.account_id, g.by) in ((c.saved_by, c.confirmed_by), (c.confirmed_by, c.saved_by))
       where g.at <= c.at and g.at > c.at - interval '7 days'
     )`,
  );
}
