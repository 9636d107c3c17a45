-- Corrections of outside results, in order. Two persons make each: `approval` is their request. The draw shows the
-- latest result; `before_result` of the first is the one it was settled with.
create table corrections (
  at timestamptz not null,
  done_at timestamptz, -- all tickets are paid; null: in pieces, under way
  draw_id uuid not null,
  approval uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  nth integer not null check (nth > 0), -- per draw
  before_result json not null,
  after_result json not null,
  before_label text not null,
  after_label text not null,
  reason text not null,
  primary key (network_id, draw_id, nth)
);
create index corrections_under_way on corrections (network_id, draw_id) where done_at is null;
create index corrections_time on corrections (network_id, at);

-- Tickets that a correction pays more or less. A ticket's win is `paid` of its latest row, else that of ticket_wins.
create table ticket_corrections (
  at timestamptz not null,
  win bigint not null check (win >= 0), -- by the corrected result
  moved bigint not null, -- to the player; below zero: taken back
  paid bigint not null check (paid >= win), -- in all; what exceeds the win could not be taken back
  ticket_id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  nth integer not null, -- of the correction
  primary key (network_id, draw_id, ticket_id, nth)
);
create index ticket_corrections_time on ticket_corrections (network_id, at);

-- Draws whose outside result may still be corrected.
create index draws_outside_settled on draws (network_id, game_id, finished_at) where outside is not null and status = 'settled';

call keep_written('corrections', '*');
call keep_written('ticket_corrections', '');
call audited.make_views();

-- Tickets of a corrected draw stay as its evidence.
create or replace function judged_plays(net integer, since timestamptz, until timestamptz)
returns table (draw_id uuid, tickets integer, stays text) language sql stable as $$
  select d.id, d.ticket_count, case when exists (
      select from corrections c where c.network_id = net and c.draw_id = d.id) then 'corrected'
    when exists (
      select from draw_settlements s join ticket_wins w on w.network_id = net and w.draw_id = s.draw_id
      where s.network_id = net and s.draw_id = d.id and s.manual_claims
        and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = w.ticket_id)) then 'unclaimed' end
  from (
    select s.draw_id from draw_settlements s where s.network_id = net and s.settled_at >= since and s.settled_at < until
    union all
    select v.id from draws v where v.network_id = net and v.status = 'void' and v.ticket_count is distinct from 0 and not v.tickets_cleared
      and v.finished_at >= since and v.finished_at < until
  ) as ended join draws d on d.network_id = net and d.id = ended.draw_id
  where d.status in ('settled', 'void') and d.ticket_count > 0 and not d.tickets_cleared and d.finished_at >= since
    and d.finished_at < until
$$;
