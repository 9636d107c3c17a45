-- When tickets were printed: the first print is the original, each later one a copy and says so, from whichever device.
create table ticket_prints (
  printed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  nth integer not null check (nth > 0), -- of its ticket
  primary key (network_id, ticket_id, nth)
);

call audited.make_views();
