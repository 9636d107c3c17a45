-- Whether sessions of an admin's network that were opened without an elevation may make sensitive calls by their token alone.
alter table accounts add column token_sessions boolean not null default true;
alter table staged_accounts add column token_sessions boolean not null default true;
create trigger accounts_token_sessions_changed before update on accounts for each row
  when (old.token_sessions is distinct from new.token_sessions) execute function mark_written();

call audited.make_views();
