-- Rows about a moved network count from 0 downward. When a replaced copy becomes a network again, the earlier ones make
-- room for those of its last stay. Twice, because keys must not meet on the way.
create function shift_told(number int, by bigint) returns void security definer language plpgsql set search_path = public, pg_temp as $$
declare far constant bigint := 1000000000000;
begin
  if not exists (select from staged_networks where id = number) then raise exception 'no network % stands beside', number; end if;
  update moved_activity set seq = seq - by - far where network_id = number;
  update moved_activity set seq = seq + far where network_id = number;
end $$;
