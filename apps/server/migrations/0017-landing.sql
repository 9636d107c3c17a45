-- What a network lets be told outside of it. One without a row lets the landing page tell of its winners.
create table landing_settings (
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  winners_shown boolean not null,
  primary key (network_id)
);

call audited.make_views();
