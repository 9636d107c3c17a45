-- Credit between the superadmin of this cell and networks of other cells, as messages numbered per network. Kinds are
-- those of transfers: 3 gives, 4 takes back. See apps/server/src/credit/across/send-credit.ts.
create table sent_credit (
  at timestamptz not null,
  settled_at timestamptz, -- answered by the network's cell
  amount bigint not null check (amount > 0),
  balance bigint, -- of the admin, as answered
  id uuid not null unique, -- reference of its transfers in both cells
  admin_id uuid not null,
  transfer_id uuid, -- of the superadmin's credit
  number integer not null, -- per network from 1
  kind smallint not null check (kind in (3, 4)),
  username text not null, -- of the admin
  cell text not null, -- last known cell of the network
  note text not null,
  refusal text, -- error code
  -- Answer to the last delivery if it could not be applied yet. A restored cell can fail for settled messages too.
  failure text,
  primary key (admin_id, number)
);
create index sent_credit_unsettled on sent_credit (admin_id) where settled_at is null;

-- Moves with the network, and a restore of the network leaves it alone.
create table received_credit (
  at timestamptz not null,
  amount bigint not null check (amount > 0),
  balance bigint not null, -- of the admin, afterwards
  id uuid not null unique,
  admin_id uuid not null,
  number integer not null,
  kind smallint not null check (kind in (3, 4)),
  cell text not null, -- sender
  note text not null,
  refusal text,
  primary key (admin_id, cell, number)
);
