-- Staff passwords that somebody else set, and what a network asks of them.
alter table accounts add column temporary_until timestamptz; -- as in logins
alter table accounts add column password_first boolean not null default false; -- admins: every call waits for an own password
alter table accounts add column remember_devices boolean not null default false; -- admins: a factor may be asked once in 30 days
alter table staged_accounts add column temporary_until timestamptz;
alter table staged_accounts add column password_first boolean not null default false;
alter table staged_accounts add column remember_devices boolean not null default false;
create trigger accounts_password_rules_changed before update on accounts for each row
  when ((old.temporary_until, old.password_first, old.remember_devices)
    is distinct from (new.temporary_until, new.password_first, new.remember_devices))
  execute function mark_written();
call note_changes('accounts', 'id', 'network_id last_login_at chain');

-- Browsers that skip the second factor. The mark binds to the password, so another one ends it.
alter table known_devices add column remembered_until timestamptz;
alter table known_devices add column remembered_mark text;
alter table known_devices add column user_agent text;

-- Notices to persons, by addressee.
create index activity_notice on activity ((detail -> 'notice' ->> 'to'), id) where detail -> 'notice' ->> 'to' is not null;

call audited.make_views();
