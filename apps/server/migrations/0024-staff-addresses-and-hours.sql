-- Allowed addresses and hours of a network's staff, stored with its admin. Empty and null allow all.
alter table accounts add column staff_addresses cidr[] not null default '{}';
alter table accounts add column staff_starts_minute smallint; -- of the day, in the server's time zone
alter table accounts add column staff_ends_minute smallint;
alter table staged_accounts add column staff_addresses cidr[] not null default '{}';
alter table staged_accounts add column staff_starts_minute smallint;
alter table staged_accounts add column staff_ends_minute smallint;
create trigger accounts_places_changed before update on accounts for each row
  when ((old.staff_addresses, old.staff_starts_minute, old.staff_ends_minute)
    is distinct from (new.staff_addresses, new.staff_starts_minute, new.staff_ends_minute)) execute function mark_written();
call note_changes('accounts', 'id', 'network_id last_login_at chain');

create index activity_refused_places on activity (network_id, id) where detail ? 'refusedPlace';

call audited.make_views();
