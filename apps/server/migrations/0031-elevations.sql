-- What a page may do beyond reading hangs on a secret that it was answered for the password, and keeps in memory. A session knows its own by
-- their hashes. One that `opens` an address is good for that alone, once.
create table elevations (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  secret_hash bytea primary key,
  opens text
);
create index elevations_session on elevations (session_hash);

alter table sessions
  drop column password_at,
  add column by_token boolean not null default false; -- opened without an elevation: its token alone makes the calls of the specification
