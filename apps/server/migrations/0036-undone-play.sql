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
  beacon_signatures bytea[],
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

-- Tombstones of what was cleared before a restore undid it: the clearings, their draws by their ids, and their tickets by their requests.
create table undone_clearings (
  started_at timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  removed bigint not null,
  id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  model text not null,
  primary key (network_id, id, model)
);

create table undone_cleared (
  id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  primary key (network_id, id)
);

-- Those that serve add them to what stands beside, and delete them there, and nowhere else.
do $$
declare t text;
begin
  foreach t in array array['undone_draws', 'undone_tickets', 'undone_clearings', 'undone_cleared'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy is_read on %I for select using (true)', t);
    execute format('create policy is_beside on %I for insert with check (network_id in (select id from networks_beside))', t);
    execute format('create policy goes_beside on %I for delete using (network_id in (select id from networks_beside))', t);
  end loop;
end $$;

call audited.make_views();
