-- Tombstones: draws that a restore has undone, as they were then, and their tickets. They count for nothing, and stay as long as the network does: they are
-- outside what a restore exchanges, and a restore to a later backup, or an undo, that brings a draw back removes its tombstone. A draw that was still open in
-- the backup is there beside its tombstone: void, with the stakes of its tickets returned.
create table undone_draws (
  undone_at timestamptz not null,
  taken_at timestamptz not null, -- the time of the backup that was restored
  opens_at timestamptz not null,
  closes_at timestamptz not null,
  draws_at timestamptz not null,
  closed_at timestamptz,
  finished_at timestamptz,
  id uuid not null,
  game_id uuid not null,
  terms_id uuid not null references draw_terms (id),
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  ticket_count integer,
  status draw_status not null,
  source result_source,
  void_cause void_cause,
  booster smallint,
  tickets_cleared boolean not null,
  commitment bytea not null,
  seed bytea, -- null if it was not public
  ticket_root bytea,
  result json,
  result_label text,
  primary key (network_id, id)
);

create table undone_tickets (
  stake bigint not null,
  win bigint, -- null if it was not settled
  placed_at timestamptz not null,
  claimed_at timestamptz, -- when the win was paid
  id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  request uuid not null,
  request_hash uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  digest bytea not null,
  lines text not null,
  primary key (network_id, id)
);
create index undone_tickets_tree on undone_tickets (network_id, draw_id, id);
create index undone_tickets_request on undone_tickets (network_id, request);
create index undone_tickets_account on undone_tickets (network_id, account_id, id);

-- Those that serve add them to what stands beside, and delete them there, and nowhere else.
alter table undone_draws enable row level security;
alter table undone_tickets enable row level security;
create policy is_read on undone_draws for select using (true);
create policy is_read on undone_tickets for select using (true);
create policy is_beside on undone_draws for insert with check (network_id in (select id from networks_beside));
create policy is_beside on undone_tickets for insert with check (network_id in (select id from networks_beside));
create policy goes_beside on undone_draws for delete using (network_id in (select id from networks_beside));
create policy goes_beside on undone_tickets for delete using (network_id in (select id from networks_beside));

call audited.make_views();
