-- The files of this folder make the whole schema, each one subject, and are read in their order. In every table the columns of fixed width
-- come first, the widest of them foremost, so that no row has padding between them. Amounts are hundredths of a point, and so are win
-- percentages and commissions of a percent. The server works as a role that may do what ../grants.sql says.

-- What may not change once it was used: the key that seals seeds (its fingerprint), and the time zone of the rollups' days.
create table pinned_settings (
  name text primary key,
  value text not null
);

-- A network is an admin and everyone below. Inside it goes by a number, which is first in every key of its rows; outside by its admin's
-- id. Number 0 is the root: the superadmins and the issuance of credit. A network that moves to another database gets another number.
create table networks (
  admin_id uuid not null unique, -- of the root: the nil UUID
  id integer generated always as identity primary key,
  wallets integer not null default 0 -- how many it has, which is the number of the latest
);
insert into networks (id, admin_id) overriding system value values (0, '00000000-0000-0000-0000-000000000000');
