-- API keys that call what a staff login may call.
alter table api_keys add column permissions text[] not null default '{}';
alter table api_keys add column credit_per_day bigint check (credit_per_day > 0); -- most credit to give, hundredths; null: none
alter table api_keys add column expires_at timestamptz; -- null: never
alter table api_key_days add column credit bigint not null default 0; -- given

drop trigger api_keys_changed on api_keys;
create trigger api_keys_changed before update on api_keys for each row when (
  (old.network_id, old.number, old.id, old.made_by, old.made_at, old.ended_at, old.end_is_kept, old.stake_per_day,
   old.tickets_per_minute, old.key_hash, old.name, old.ending, old.addresses, old.permissions, old.credit_per_day, old.expires_at)
  is distinct from
  (new.network_id, new.number, new.id, new.made_by, new.made_at, new.ended_at, new.end_is_kept, new.stake_per_day,
   new.tickets_per_minute, new.key_hash, new.name, new.ending, new.addresses, new.permissions, new.credit_per_day, new.expires_at))
  execute function mark_written();
call note_changes('api_keys', 'network_id number', 'last_used_at minute_at minute_tickets');
call audited.make_views();
