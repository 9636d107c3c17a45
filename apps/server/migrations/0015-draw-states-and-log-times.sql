-- The last row of a network's log: the next one is neither before its time nor below its id, whichever server writes it.
alter table activity_heads add column last_at timestamptz, add column last_id uuid;
update activity_heads h set last_at = latest.at, last_id = latest.id
from (select distinct on (network_id) network_id, id, max(at) over (partition by network_id) as at
      from activity order by network_id, id desc) as latest
where latest.network_id = h.network_id;

-- When betting closed, taken under the draw's lock: every ticket of the draw was placed before it. Null for draws that were
-- finished before this was kept.
alter table draws add column closed_at timestamptz;
update draws set closed_at = least(closes_at, coalesce(saved_at, closes_at)) where status in ('closed', 'drawn');

-- A draw that was voided while its result was being settled kept that result, though nothing was paid by it.
update draws set result = null, result_label = null, booster = null, source = null where status = 'void';

alter table draws
  add constraint draws_result check ((status in ('drawn', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  add constraint draws_closed check (status not in ('closed', 'drawn') or closed_at is not null),
  add constraint draws_sealed check ((status = 'open') = (ticket_digest is null)),
  -- A saved result closes betting.
  add constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  add constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and (finished_at is null) = (seed is null));
