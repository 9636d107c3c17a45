-- Corrections of outside results, in order. Two persons make each: `approval` is their request. The draw shows the
-- latest result; `before_result` of the first is the one it was settled with.
create table corrections (
  at timestamptz not null,
  done_at timestamptz, -- all tickets are paid; null: in pieces, under way
  draw_id uuid not null,
  approval uuid not null,
  network_id integer not null,
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
  network_id integer not null,
  nth integer not null, -- of the correction
  primary key (network_id, draw_id, ticket_id, nth)
);
create index ticket_corrections_time on ticket_corrections (network_id, at);
