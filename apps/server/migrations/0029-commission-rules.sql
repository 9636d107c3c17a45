-- What bounds the commissions of a network.
alter table accounts
  -- The most that the commissions of levels 3 to 6 along one chain may sum to. Counts on admins alone, where a superadmin sets it.
  add column commission_ceiling integer not null default 2000 check (commission_ceiling between 0 and 10000),
  -- An admin or a superadmin set the commission: it may be above the parent's.
  add column commission_granted boolean not null default false;
alter table staged_accounts
  add column commission_ceiling integer not null default 2000,
  add column commission_granted boolean not null default false;
-- The network's ceiling when the draw opened: what bounds its commissions, as its rates are those of its opening too.
alter table draws add column commission_ceiling integer not null default 0 check (commission_ceiling between 0 and 10000);
create trigger accounts_commission_rules_changed before update on accounts for each row
  when ((old.commission_ceiling, old.commission_granted) is distinct from (new.commission_ceiling, new.commission_granted)) execute function mark_written();
call audited.make_views();
