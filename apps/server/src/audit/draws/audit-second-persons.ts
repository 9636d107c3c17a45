import { checkWith, loggedId, LOGGED_AT } from '../audit-check.ts';
import type { Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';

/**
 * Repeats `requireSecondPerson` from the logs: nobody confirms for an account if either set the other's password within
 * seven days. A shell reset could be by anyone, so it blocks all until the next password.
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
       from audited.standing_activity where detail ? 'accountId' and (account_id is not null and (detail ->> 'password' = 'changed' or detail ? 'parentId') or detail ->> 'password' = 'from the shell')
     ), wrong as (
       select distinct format('draw %s of network %s was saved by %s and confirmed by %s, %s at %s',
                              c.id, c.network_id, c.saved_by, c.confirmed_by, case when g.by is null
                                then 'of whom one had its password set from the shell' else 'of whom one had set the password of the other' end, g.at) as problem
       from confirmed c join given g on (g.account_id, g.by) in ((c.saved_by, c.confirmed_by), (c.confirmed_by, c.saved_by))
         or g.by is null and g.account_id in (c.saved_by, c.confirmed_by)
            and not exists (select from given later where later.account_id = g.account_id and later.at > g.at and later.at <= c.at)
       where g.at <= c.at and g.at > c.at - interval '7 days'
     )`,
  );
}
