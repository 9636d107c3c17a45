-- Also deletes second factors and logins.
create or replace function clear_accounts(net integer, clearing uuid) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'user');
  chosen uuid[];
begin
  select array_agg(j.account_id) into chosen from judged_accounts(net, asked.starts_at, asked.ends_at) as j where j.stays is null;
  if chosen is null then return 0; end if;
  delete from known_addresses where account_id = any(chosen);
  delete from known_devices where account_id = any(chosen);
  delete from factors where network_id = net and account_id = any(chosen);
  delete from favorites where network_id = net and account_id = any(chosen);
  update logins set username = 'cleared login ' || number || ' of ' || account_id, name = 'cleared login ' || number,
    password_hash = '', addresses = '{}' where network_id = net and account_id = any(chosen);
  update accounts set username = 'cleared account ' || unique_id, note = '', password_hash = '' where id = any(chosen);
  update clearings c set removed = removed + cardinality(chosen) where c.network_id = net and c.id = clearing and c.model = 'user';
  return cardinality(chosen);
end $$;
