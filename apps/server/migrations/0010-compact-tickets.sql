-- Tickets are a record: added to, never changed. What a ticket won, and when it was claimed, are records of their own.
create table ticket_wins (
  win bigint not null check (win > 0), -- hundredths of a point; a settled ticket without a row has won nothing
  ticket_id uuid not null,
  draw_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, ticket_id)
);

-- The wins of draws with manual claims that were claimed. All others were paid when their draw was settled.
create table ticket_claims (
  claimed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null,
  primary key (network_id, ticket_id)
);

-- Whether wins wait until the player claims them.
alter table games add column manual_claims boolean not null default false;

-- The game and the price are those of the draw, the number that people read follows from the id.
alter table tickets rename to old_tickets;
alter table old_tickets rename constraint tickets_pkey to old_tickets_pkey;
create table tickets (
  stake bigint not null check (stake > 0),
  placed_at timestamptz not null,
  id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  request uuid not null, -- of the account and the request id: a request makes one ticket, for ever
  request_hash uuid not null, -- the first half of the SHA-256 of what was asked for
  network_id integer not null,
  digest bytea not null,
  ip inet, -- from where it was laid
  lines text not null, -- `key*quantity`, joined by spaces, key as in the rules of the game
  primary key (network_id, id)
);

-- Of older tickets the log tells the address. Whatever was changed there by hand may be none.
create function pg_temp.address_in(text) returns inet language plpgsql immutable as $$
begin
  return $1::inet;
exception when others then
  return null;
end
$$;

insert into tickets (network_id, id, draw_id, account_id, request, request_hash, stake, placed_at, digest, ip, lines)
  select t.network_id, t.id, t.draw_id, t.account_id,
         encode(substr(set_byte(set_byte(named.hash, 6, get_byte(named.hash, 6) & 15 | 128), 8, get_byte(named.hash, 8) & 63 | 128), 1, 16), 'hex')::uuid,
         encode(substr(t.request_hash, 1, 16), 'hex')::uuid, t.stake, t.placed_at, t.digest, pg_temp.address_in(l.ip),
         (select string_agg(format('%s*%s', line ->> 'key', line ->> 'qty'), ' ' order by place)
          from jsonb_array_elements(t.lines) with ordinality as laid (line, place))
  from old_tickets t
  cross join lateral (select sha256(convert_to(format('request:%s:%s', t.account_id, t.request_id), 'UTF8')) as hash) as named
  left join (
    select distinct on (network_id, account_id, ticket_no) network_id, account_id, ticket_no, ip
    from (select *, substring(subject from '^Bet .*, ticket ([0-9A-Z-]{14})$') as ticket_no from activity) as bets
    where ticket_no is not null order by network_id, account_id, ticket_no, seq
  ) as l on l.network_id = t.network_id and l.account_id = t.account_id and l.ticket_no = t.ticket_no
  order by t.network_id, t.id;

insert into ticket_wins (network_id, draw_id, ticket_id, win)
  select network_id, draw_id, id, win from old_tickets where win > 0 order by network_id, draw_id, id;

drop table old_tickets;

alter table tickets add constraint tickets_request unique (network_id, request);
create index tickets_draw on tickets (network_id, draw_id);
create index tickets_account on tickets (network_id, account_id, id desc);

-- What is the same for all players of a settled draw, once for each draw with tickets.
create table draw_settlements (
  settled_at timestamptz not null,
  -- How far the network's log and the root's had come when the percentages were read. A change of a percentage and its row of the log
  -- are committed together, so the changes up to these rows are exactly those that the settlement knew.
  log_seq bigint not null,
  root_log_seq bigint not null,
  draw_id uuid not null,
  network_id integer not null,
  manual_claims boolean not null, -- wins went to the players' winnings, to be claimed
  primary key (network_id, draw_id)
);
create index draw_settlements_time on draw_settlements (network_id, settled_at);

insert into draw_settlements (network_id, draw_id, settled_at, log_seq, root_log_seq, manual_claims)
  select distinct on (network_id, draw_id) network_id, draw_id, settled_at, log_seq, root_log_seq, false
  from player_settlements order by network_id, draw_id;

-- Columns that are dropped would still cost each row some bytes.
alter table player_settlements rename to old_settlements;
alter table old_settlements rename constraint player_settlements_pkey to old_settlements_pkey;
-- What one draw came to for one player, written once when it is settled. The commissions are those that the player's stake
-- earned at each level. Reports read the rollups; for the odd ends of a range they read these rows.
create table player_settlements (
  stake bigint not null,
  win bigint not null,
  super_commission bigint not null,
  dist_commission bigint not null,
  retail_commission bigint not null,
  user_commission bigint not null,
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, account_id)
);
insert into player_settlements
  select stake, win, super_commission, dist_commission, retail_commission, user_commission, draw_id, account_id, network_id
  from old_settlements order by network_id, draw_id, account_id;
drop table old_settlements;
