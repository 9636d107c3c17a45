import type { Queryable, Tx } from '../db/database.ts';
import { hasOpenBooks, reopenedAt } from '../network-work/closed-books.ts';
import { overNetworks } from '../over-networks.ts';
import type { Place } from './places.ts';

/** What a draw takes of each keeper, and the round of drand; fixed when it opens. */
export interface KeptOpening {
  readonly id: string;
  readonly closes_at: Date;
  readonly places: readonly Place[];
  readonly round: number | null;
}

/** Writes what draws of a network that open take of their keepers. */
export async function insertKept(tx: Tx, networkId: number, draws: readonly KeptOpening[]): Promise<void> {
  const taken = draws.flatMap(({ id, closes_at, places }) =>
    places.map((place, nth) => ({ id, closes_at, nth, ...place })),
  );
  if (taken.length > 0) {
    const days = [...new Map(taken.map((one) => [`${one.keeper.publicKey} ${one.of.day}`, one])).values()];
    await tx.send(
      `insert into keeper_roots (network_id, keeper, day, size, root, signature, name)
       select $1, d.* from unnest($2::bytea[], $3::date[], $4::int[], $5::bytea[], $6::bytea[], $7::text[]) as d (keeper, day, size, root, signature, name)
       order by keeper, day on conflict do nothing`,
      [
        networkId,
        days.map(keyOf),
        days.map(({ of }) => of.day),
        days.map(({ of }) => of.size),
        days.map(({ of }) => of.root),
        days.map(({ of }) => of.signature),
        days.map(({ of }) => of.name),
      ],
      'keeper-roots',
    );
    await tx.send(
      `insert into draw_keepers (network_id, draw_id, place, closes_at, keeper, day, index, commitment, path)
       select $1, d.* from unnest($2::uuid[], $3::smallint[], $4::timestamptz[], $5::bytea[], $6::date[], $7::int[], $8::bytea[], $9::bytea[])
         as d (draw_id, place, closes_at, keeper, day, index, commitment, path)`,
      [
        networkId,
        taken.map(({ id }) => id),
        taken.map(({ nth }) => nth),
        taken.map(({ closes_at }) => closes_at),
        taken.map(keyOf),
        taken.map(({ of }) => of.day),
        taken.map(({ index }) => index),
        taken.map(({ commitment }) => commitment),
        taken.map(({ path }) => path),
      ],
      'draw-keepers-open',
    );
  }
  const rounds = draws.filter(({ round }) => round !== null);
  if (rounds.length > 0)
    await tx.send(
      `insert into draw_beacons (network_id, draw_id, closes_at, round)
       select $1, d.* from unnest($2::uuid[], $3::timestamptz[], $4::bigint[]) as d (draw_id, closes_at, round)`,
      [
        networkId,
        rounds.map(({ id }) => id),
        rounds.map(({ closes_at }) => closes_at),
        rounds.map(({ round }) => round),
      ],
      'draw-beacons-open',
    );
}

const keyOf = ({ keeper }: { readonly keeper: Place['keeper'] }): Buffer => Buffer.from(keeper.publicKey, 'hex');

/** A draw that waits for what one keeper has of its seed. */
export interface WaitingPlace {
  readonly network_id: number;
  readonly id: string;
  readonly place: number;
  readonly keeper: Buffer;
  readonly name: string;
  readonly day: string;
  readonly index: number;
  /** When betting closes, as it was fixed when the draw opened: for that close the keeper is asked. */
  readonly closes_at: Date;
  readonly commitment: Buffer;
  readonly asked_at: Date | null;
}

/** A closed draw, or a void one, of whose seed something is still to come. */
export interface WaitingDraw {
  readonly network_id: number;
  readonly id: string;
  readonly status: 'closed' | 'void';
  /** When its betting was to close, or when the books of its network opened again after that: deadlines count from here. */
  readonly closes_at: Date;
  readonly closed_at: Date;
  /** What the server committed to. */
  readonly commitment: Buffer;
  readonly ticket_count: number;
  /** Null where it has no tickets. */
  readonly ticket_root: Buffer | null;
  /** Whether it has a result that was declared and stands. */
  readonly declared: boolean;
  /** The round of drand that is still to come, and of which chain. */
  readonly round: bigint | null;
  readonly chain: string | null;
}

/** SQL for a draw `d` with terms `t` having a declared result that stands. */
const IS_DECLARED = `(d.saved_result is not null and t.result_mode <> 'generated' and (t.result_mode <> 'two-person' or d.confirmed_by is not null))`;

/** What is waited for goes on so long after a draw was to close: a void one is asked for until then too. */
const WAIT_FOR = `interval '1 day'`;

/** The draws of which something is waited for at an instant: betting on them has closed by their times. Those that are `asked` for are of any time. */
export async function waitingDraws(on: Queryable, now: Date): Promise<WaitingDraw[]> {
  return on.query<WaitingDraw>(
    `with waiting as materialized (
       select network_id, draw_id, null::bigint as round from draw_keepers where waits and closes_at <= $1 and closes_at > $1 - ${WAIT_FOR}
       union all
       select network_id, draw_id, round from draw_beacons where waits and closes_at <= $1 and closes_at > $1 - ${WAIT_FOR}
     )
     select d.network_id, d.id, d.status, greatest(d.closes_at, ${reopenedAt('d.network_id')}) as closes_at, d.closed_at, d.commitment, d.ticket_count, d.ticket_root, ${IS_DECLARED} as declared, max(w.round) as round, t.kept -> 'beacon' ->> 'hash' as chain
     from waiting w join draws d on d.network_id = w.network_id and d.id = w.draw_id join draw_terms t on t.id = d.terms_id
     where d.status in ('closed', 'void') and d.network_id in (select id from networks) and ${hasOpenBooks('d.network_id')}
     group by d.network_id, d.id, t.id ${overNetworks('schedule')}`,
    [now],
    'draws-waiting',
  );
}

/** One draw of which something may be waited for, whenever it closes; undefined where it is neither closed nor void, or waits for nothing. */
export async function waitingDraw(on: Queryable, networkId: number, id: string): Promise<WaitingDraw | undefined> {
  const [found] = await on.query<WaitingDraw>(
    `select d.network_id, d.id, d.status, greatest(d.closes_at, ${reopenedAt('d.network_id')}) as closes_at, d.closed_at, d.commitment, d.ticket_count, d.ticket_root, false as declared,
            (select b.round from draw_beacons b where b.network_id = $1 and b.draw_id = $2 and b.waits) as round,
            t.kept -> 'beacon' ->> 'hash' as chain
     from draws d join draw_terms t on t.id = d.terms_id where d.network_id = $1 and d.id = $2 and d.status in ('closed', 'void')`,
    [networkId, id],
    'draw-waiting',
  );
  return found;
}

/**
 * Notes that the keepers of some draws of a network are asked now, and gives what each is to be asked for: nothing of a draw for which another server has asked
 * since `since`, or that is not closed, or is void and was never asked for. A share of each draw is held meanwhile, so that nobody declares a result beside it.
 */
export async function noteAsked(
  tx: Tx,
  networkId: number,
  ids: readonly string[],
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<WaitingPlace[]> {
  const locked = await tx.query<{ id: string; status: string }>(
    `select id, status from draws where network_id = $1 and id = any($2::uuid[]) and status in ('closed', 'void') order by id for share skip locked`,
    [networkId, ids],
    'draws-share',
  );
  const [closed, ended] = [
    locked.filter(({ status }) => status === 'closed'),
    locked.filter(({ status }) => status === 'void'),
  ];
  return tx.query<WaitingPlace>(
    `update draw_keepers k set asked_at = $4 from keeper_roots r
     where k.network_id = $1 and k.waits and (k.asked_at is null or k.asked_at <= $5)
       and (k.draw_id = any($2::uuid[]) or (k.draw_id = any($3::uuid[]) and k.asked_at is not null))
       and r.network_id = $1 and r.keeper = k.keeper and r.day = k.day
     returning k.network_id, k.draw_id as id, k.place, k.keeper, r.name, k.day::text, k.index, k.closes_at, k.commitment, k.asked_at`,
    [networkId, closed.map(({ id }) => id), ended.map(({ id }) => id), now, since],
    'draw-keepers-ask',
  );
}

/** Holds draws of a network while parts of their seeds are kept: nobody ends one meanwhile. Gives those that are void already. */
export async function lockKept(tx: Tx, networkId: number, ids: readonly string[]): Promise<string[]> {
  const locked = await tx.query<{ id: string; status: string }>(
    'select id, status from draws where network_id = $1 and id = any($2::uuid[]) order by id for share',
    [networkId, ids],
    'draws-kept-lock',
  );
  return locked.filter(({ status }) => status === 'void').map(({ id }) => id);
}

/** What a keeper has released. */
export interface Released {
  readonly id: string;
  readonly place: number;
  readonly seed: Buffer;
  /** By the clock of the keeper, which has signed it. */
  readonly released_at: Date;
  readonly signature: Buffer;
}

/** Keeps what keepers have released for draws of a network. What is there already stays. */
export async function keepReleased(tx: Tx, networkId: number, released: readonly Released[], at: Date): Promise<void> {
  await tx.query(
    `update draw_keepers k set seed = r.seed, signature = r.signature, released_at = r.released_at, answered_at = greatest($7, k.asked_at), waits = false
     from unnest($2::uuid[], $3::smallint[], $4::bytea[], $5::bytea[], $6::timestamptz[]) as r (draw_id, place, seed, signature, released_at)
     where k.network_id = $1 and k.draw_id = r.draw_id and k.place = r.place and k.seed is null and k.asked_at is not null`,
    [
      networkId,
      released.map(({ id }) => id),
      released.map(({ place }) => place),
      released.map(({ seed }) => seed),
      released.map(({ signature }) => signature),
      released.map(({ released_at }) => released_at),
      at,
    ],
    'draw-keepers-keep',
  );
}

/** Keeps the signatures of rounds for draws of a network that wait for them. */
export async function keepRounds(
  tx: Tx,
  networkId: number,
  rounds: readonly { readonly id: string; readonly signature: Buffer }[],
): Promise<void> {
  await tx.query(
    `update draw_beacons b set signature = r.signature, waits = false from unnest($2::uuid[], $3::bytea[]) as r (draw_id, signature)
     where b.network_id = $1 and b.draw_id = r.draw_id and b.signature is null`,
    [networkId, rounds.map(({ id }) => id), rounds.map(({ signature }) => signature)],
    'draw-beacons-keep',
  );
}

/** What a draw has of its keepers, and of its round. */
export interface KeptPart {
  readonly draw_id: string;
  readonly place: number | null;
  readonly asked_at: Date | null;
  readonly seed: Buffer | null;
  readonly round: bigint | null;
  readonly signature: Buffer | null;
}

/** What some draws of a network have of their keepers and rounds, in the order of the keepers. */
export async function readKeptParts(on: Queryable, networkId: number, ids: readonly string[]): Promise<KeptPart[]> {
  return on.query<KeptPart>(
    `select draw_id, place, asked_at, seed, null::bigint as round, null::bytea as signature from draw_keepers
     where network_id = $1 and draw_id = any($2::uuid[])
     union all
     select draw_id, null, null, null, round, signature from draw_beacons where network_id = $1 and draw_id = any($2::uuid[])
     order by draw_id, place`,
    [networkId, ids],
    'draw-kept-parts',
  );
}

/**
 * Ends the waiting for what some draws of a network need no more. Of void ones what keepers were asked for comes still (`asked`), and a round that
 * was public before (`round`).
 */
export async function endWaiting(
  tx: Tx,
  networkId: number,
  ids: readonly string[],
  but: { readonly asked: boolean; readonly round: boolean } = { asked: false, round: false },
): Promise<void> {
  await tx.query(
    `with keepers as (
       update draw_keepers set waits = false where network_id = $1 and draw_id = any($2::uuid[]) and waits and (asked_at is null or not $3)
     )
     update draw_beacons set waits = false where network_id = $1 and draw_id = any($2::uuid[]) and waits and not $4`,
    [networkId, ids, but.asked, but.round],
    'draw-kept-end',
  );
}

/** What is published of a draw's keepers, in their order. */
export interface PublishedPlace {
  readonly name: string;
  readonly keeper: Buffer;
  readonly day: string;
  readonly index: number;
  readonly size: number;
  readonly root: Buffer;
  readonly day_signature: Buffer;
  readonly commitment: Buffer;
  readonly path: Buffer;
  readonly closes_at: Date;
  readonly asked_at: Date | null;
  readonly seed: Buffer | null;
  readonly released_at: Date | null;
  readonly signature: Buffer | null;
}

/** What is published of a draw's keepers and of its round. */
export async function readPublished(
  on: Queryable,
  networkId: number,
  id: string,
): Promise<{ readonly places: PublishedPlace[]; readonly beacon: { round: bigint; signature: Buffer | null } | null }> {
  const places = await on.query<PublishedPlace>(
    `select r.name, k.keeper, k.day::text, k.index, r.size, r.root, r.signature as day_signature, k.commitment, k.path, k.closes_at, k.asked_at, k.seed, k.released_at, k.signature
     from draw_keepers k join keeper_roots r on r.network_id = $1 and r.keeper = k.keeper and r.day = k.day
     where k.network_id = $1 and k.draw_id = $2 order by k.place`,
    [networkId, id],
    'draw-keepers-published',
  );
  const [beacon] = await on.query<{ round: bigint; signature: Buffer | null }>(
    'select round, signature from draw_beacons where network_id = $1 and draw_id = $2',
    [networkId, id],
    'draw-beacon-published',
  );
  return { places, beacon: beacon ?? null };
}
