-- Pictures that games are given, as WebP. Each is kept once, however many games show it.
create table images (
  hash bytea primary key check (octet_length(hash) = 32), -- SHA-256 of the content
  content bytea not null
);
-- It is compressed by itself.
alter table images alter column content set storage external;

-- The images of a game's outcomes: one for each where the game is labelled, else none.
create table game_images (
  game_id uuid not null references games (id),
  position integer not null check (position >= 0), -- of the outcome, in the order of the game's outcomes
  hash bytea not null references images (hash),
  primary key (game_id, position)
);
create index game_images_hash on game_images (hash);

-- No game had any before. One that is deleted keeps its row, so that its key stays taken and statements can name it.
alter table games
  add column deleted_at timestamptz,
  alter column logo type bytea using null,
  alter column image type bytea using null,
  add foreign key (logo) references images (hash),
  add foreign key (image) references images (hash);
update games set labelled = false;
