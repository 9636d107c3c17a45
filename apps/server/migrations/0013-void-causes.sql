-- Why a draw is void, which is published: somebody voided it, its seed could not be read, or its wins came to more than the books can hold.
create type void_cause as enum ('operator', 'seed', 'wins');
alter table draws add column void_cause void_cause;

-- Of those that are void already the log tells: it names nobody where the server itself voided one.
update draws d set void_cause = case when not told.by_server then 'operator' when d.seed is null then 'seed' else 'wins' end::void_cause
from (
  select v.network_id, v.id, coalesce(bool_or(l.account_id is null) filter (where l.draw_id is not null), v.seed is null) as by_server
  from draws v left join (
    select account_id, detail ->> 'drawId' as draw_id from activity where detail ? 'reason' and detail ? 'drawId'
  ) as l on l.draw_id = v.id::text
  where v.status = 'void' group by v.network_id, v.id
) as told where d.network_id = told.network_id and d.id = told.id;

alter table draws add constraint draws_void check ((status = 'void') = (void_cause is not null));
