-- How far the network's log and the root's had come when the percentages of a settlement were read. A change of a percentage and its
-- row of the log are committed together, so the changes up to these rows are exactly those that the settlement knew.
alter table player_settlements add column log_seq bigint, add column root_log_seq bigint;

-- For what was settled before: the rows up to that time.
with moments as (
  select distinct network_id, settled_at as at from player_settlements
), events as (
  select network_id as log, at, seq, null::uuid as network_id from activity
  union all select network_id, at, null, network_id from moments
  union all select '00000000-0000-0000-0000-000000000000', at, null, network_id from moments
), told as (
  select log, at, network_id, max(seq) over (partition by log order by at) as seq from events
)
update player_settlements s set log_seq = coalesce(own.seq, 0), root_log_seq = coalesce(root.seq, 0)
from told own, told root
where own.network_id = s.network_id and own.log = s.network_id and own.at = s.settled_at
  and root.network_id = s.network_id and root.log <> s.network_id and root.at = s.settled_at;

alter table player_settlements alter column log_seq set not null, alter column root_log_seq set not null;
