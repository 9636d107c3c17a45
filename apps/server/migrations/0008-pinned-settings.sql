-- What may not change once it was used: the key that seals seeds (its fingerprint), and the time zone of the rollups' days.
create table pinned_settings (
  name text primary key,
  value text not null
);
