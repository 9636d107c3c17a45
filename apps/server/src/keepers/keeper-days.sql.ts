import type { KnownRelease } from '@drawhouse/rules/keeper-texts';
import type { Queryable } from '../db/database.ts';

/** A day of a keeper whose signature and root were checked, with the roots of its parts. */
export interface KeptDay {
  readonly name: string;
  /** Of UTC. */
  readonly day: string;
  readonly size: number;
  readonly root: Buffer;
  readonly signature: Buffer;
  /** 32 bytes for each part of the tree. */
  readonly part_roots: Buffer;
}

/** A day of a keeper as any server here has seen it first; undefined where none has. */
export async function findDay(on: Queryable, keeper: Buffer, day: string): Promise<KeptDay | undefined> {
  const [found] = await on.query<KeptDay>(
    'select name, day::text, size, root, signature, part_roots from keeper_days where keeper = $1 and day = $2',
    [keeper, day],
    'keeper-day',
  );
  return found;
}

/** What a keeper has signed of a day where it had signed another root before; `seenAt` is ISO 8601, all else as it came, in hex. */
export interface OtherRoot {
  readonly name: string;
  readonly size: number;
  readonly root: string;
  readonly signature: string;
  readonly seenAt: string;
}

/** Keeps what a keeper has signed of a day beside what it had signed before: the first of such, for ever. */
export async function keepOther(on: Queryable, keeper: Buffer, day: string, other: OtherRoot): Promise<void> {
  await on.query(
    'update keeper_days set other = $3 where keeper = $1 and day = $2 and other is null',
    [keeper, day, JSON.stringify(other)],
    'keeper-other-keep',
  );
}

/** A day of which a keeper has signed two roots, whichever server saw it; undefined where there is none. */
export async function findTwoRoots(
  on: Queryable,
  keeper: Buffer,
): Promise<{ readonly day: string; readonly root: Buffer; readonly other: OtherRoot } | undefined> {
  const [found] = await on.query<{ day: string; root: Buffer; other: OtherRoot }>(
    'select day::text, root, other from keeper_days where keeper = $1 and other is not null order by keeper_days.day limit 1',
    [keeper],
    'keeper-two-roots',
  );
  return found;
}

/** Sees to it that no place of a day before an index is claimed any more: the keeper has released those already. */
export async function skipPlaces(on: Queryable, keeper: Buffer, day: string, before: number): Promise<void> {
  await on.query(
    'update keeper_days set next_index = least(size, $3) where keeper = $1 and day = $2 and next_index < least(size, $3)',
    [keeper, day, before],
    'keeper-places-skip',
  );
}

/** Keeps a day of a keeper, unless another server has done so. */
export async function keepDay(on: Queryable, keeper: Buffer, seenAt: Date, day: KeptDay): Promise<void> {
  await on.query(
    `insert into keeper_days (keeper, day, size, root, signature, name, part_roots, seen_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict do nothing`,
    [keeper, day.day, day.size, day.root, day.signature, day.name, day.part_roots, seenAt],
    'keeper-day-keep',
  );
}

/**
 * Claims the next places of a day, so many at most, for whoever asks alone: no other server gets them, nor this one again. Gives them as a range, which is
 * empty where the day has none left.
 */
export async function claimPlaces(
  on: Queryable,
  keeper: Buffer,
  day: string,
  count: number,
): Promise<{ from: number; to: number }> {
  const [claimed] = await on.query<{ from: number; to: number }>(
    `with before as (select next_index from keeper_days where keeper = $1 and day = $2 for update)
     update keeper_days k set next_index = least(k.size, before.next_index + $3) from before
     where k.keeper = $1 and k.day = $2 returning before.next_index as from, k.next_index as to`,
    [keeper, day, count],
    'keeper-places',
  );
  return claimed ?? { from: 0, to: 0 };
}

/** The days of a keeper from one on, as each was seen first, and before these the days of which it has signed two roots. */
export async function listDays(
  on: Queryable,
  keeper: Buffer,
  since: string,
): Promise<(Omit<KeptDay, 'part_roots'> & { seen_at: Date; other: OtherRoot | null })[]> {
  return on.query(
    `select name, day::text, size, root, signature, seen_at, other from keeper_days where keeper = $1 and (day >= $2 or other is not null)
     order by keeper_days.day limit 7`,
    [keeper, since],
    'keeper-days',
  );
}

/** Keeps a release of a day, in the place of another one. */
export async function noteKnown(on: Queryable, keeper: Buffer, known: KnownRelease): Promise<void> {
  await on.query(
    'update keeper_days set known = $3 where keeper = $1 and day = $2',
    [keeper, known.day, JSON.stringify(known)],
    'keeper-known-note',
  );
}

/** The newest release of a keeper that was kept; undefined where there is none. */
export async function findKnown(on: Queryable, keeper: Buffer): Promise<KnownRelease | undefined> {
  const [found] = await on.query<{ known: KnownRelease }>(
    'select known from keeper_days where keeper = $1 and known is not null order by day desc limit 1',
    [keeper],
    'keeper-known',
  );
  return found?.known;
}
