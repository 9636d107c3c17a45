-- What works on a whole network, one thing at a time: a backup, a restore, a clearing. The latest of each network, which goes by its admin: a
-- restore gives it another number. Whoever works holds an advisory lock as long as it lives, so that what a killed server left is known as such.
create table network_work (
  started_at timestamptz not null,
  finished_at timestamptz,
  done bigint not null default 0, -- of `total`, in whatever the step counts
  total bigint not null default 0,
  admin_id uuid primary key references accounts (id),
  kind text not null,
  step text not null default '',
  username text not null, -- of whoever began it
  failure text,
  answer jsonb -- what came of it
);
