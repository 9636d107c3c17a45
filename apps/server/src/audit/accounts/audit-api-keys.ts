import { checkWith, loggedId, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';

export async function auditApiKeys(db: Queryable): Promise<Check[]> {
  return [await logged(db), await counted(db)];
}

function logged(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every API key is in the log',
    'api_keys',
    `logged as materialized (
       select network_id as log, seq, ${loggedId('apiKey')} as id, detail ->> 'did' as did
         from audited.standing_activity where detail ? 'apiKey'
     ), wrong as (
       select format('API key %s of network %s is in no log', id, network_id) as problem
       from api_keys k where not exists (select from logged l where l.id = k.id and l.did = 'made')
       union all
       select format('API key %s of network %s has ended, but no log says who ended it', id, network_id)
       from api_keys k where k.ended_at is not null and not k.end_is_kept and not exists (select from logged l
         where l.id = k.id and l.did = 'ended')
       union all
       select format('API key %s of network %s is active, but row %s of the log of network %s says that it has ended',
         k.id, k.network_id, l.seq, l.log)
       from api_keys k join logged l on l.id = k.id and l.did = 'ended' where k.ended_at is null
       union all
       select format('API key %s, named in row %s of the log of network %s, is gone', l.id, l.seq, l.log)
       from logged l where l.did = 'made' and not exists (select from api_keys k where k.id = l.id)
     )`,
  );
}

/** After clearing, counters may exceed the tickets. */
function counted(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'the daily sums of each API key equal its tickets',
    'api_key_days',
    `laid as (
       select t.network_id, t.api_key as number, count(*) as tickets, sum(t.stake) as stake
       from tickets t where t.api_key <> 0 and t.network_id = any(array(select distinct network_id from api_keys)) group by 1, 2
     ), told as (
       select network_id, number, sum(tickets) as tickets, sum(stake) as stake from api_key_days group by 1, 2
     ), wrong as (
       select format('API key %s of network %s has bet %s tickets of %s hundredths, its days say %s of %s', number, network_id,
                     coalesce(l.tickets, 0), coalesce(l.stake, 0), coalesce(d.tickets, 0), coalesce(d.stake, 0)) as problem
       from laid l full join told d using (network_id, number)
       where (coalesce(l.tickets, 0), coalesce(l.stake, 0)) <> (coalesce(d.tickets, 0), coalesce(d.stake, 0))
         and not (coalesce(l.tickets, 0) <= coalesce(d.tickets, 0) and coalesce(l.stake, 0) <= coalesce(d.stake, 0)
                  and exists (select from clearings c
                    where c.network_id = coalesce(l.network_id, d.network_id) and c.model = 'ticket' and c.removed > 0))
       union all
       select format('tickets of network %s name the API key %s, which does not exist', network_id, number)
       from laid l where not exists (select from api_keys k where k.network_id = l.network_id and k.number = l.number)
     )`,
  );
}
