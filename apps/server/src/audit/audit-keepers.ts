import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { examineRound } from '@drawhouse/rules/drand';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import type { PublishedBeacon, PublishedKeeper } from '@drawhouse/rules/published-seed';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import type { KeptBy } from '@drawhouse/rules/terms';
import { Findings, readPages } from './audit-check.ts';
import type { Check } from './audit-check.ts';
import type { Queryable } from '../db/database.ts';
import { TICKET_ROOT } from './audited-rows.ts';

/** What others have kept of a draw's seed, as it is published once that is. */
export interface KeptOf {
  readonly keepers: readonly PublishedKeeper[];
  readonly beacon: PublishedBeacon | null;
  readonly knowable: NonNullable<PublishedDraw['knowable']> | null;
}

/** A draw that others keep too, by its key. */
interface KeptRow {
  readonly network_id: number;
  readonly id: string;
  readonly kept?: KeptBy | null;
}

interface PlaceRow {
  readonly draw_id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly day: string;
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly daySignature: string;
  readonly commitment: string;
  readonly path: Buffer;
  readonly closes_at: Date;
  readonly seed: string | null;
  readonly released_at: Date | null;
  readonly signature: string | null;
}

/** What others have kept of the seeds of draws, by draw; of those alone of which they do. */
export async function readKeptOf(db: Queryable, draws: readonly KeptRow[]): Promise<ReadonlyMap<string, KeptOf>> {
  const found = new Map<string, KeptOf>();
  const kept = draws.filter((draw) => draw.kept);
  for (const [networkId, its] of Map.groupBy(kept, ({ network_id }) => network_id)) {
    const ids = its.map(({ id }) => id);
    const places = await db.query<PlaceRow>(
      `select k.draw_id, coalesce(r.name, '') as name, encode(k.keeper, 'hex') as "publicKey", k.day::text, k.index, coalesce(r.size, 0) as size,
              coalesce(encode(r.root, 'hex'), '') as root, coalesce(encode(r.signature, 'hex'), '') as "daySignature", encode(k.commitment, 'hex') as commitment,
              k.path, k.closes_at, encode(k.seed, 'hex') as seed, k.released_at, encode(k.signature, 'hex') as signature
       from draw_keepers k left join keeper_roots r on r.network_id = k.network_id and r.keeper = k.keeper and r.day = k.day
       where k.network_id = $1 and k.draw_id = any($2::uuid[]) order by k.draw_id, k.place`,
      [networkId, ids],
    );
    const rounds = await db.query<{ draw_id: string; round: bigint; signature: string | null }>(
      `select draw_id, round, encode(signature, 'hex') as signature from draw_beacons where network_id = $1 and draw_id = any($2::uuid[])`,
      [networkId, ids],
    );
    const knowable = await db.query<NonNullable<KeptOf['knowable']> & { draw_id: string }>(
      'select draw_id, result, booster from knowable_draws where network_id = $1 and draw_id = any($2::uuid[])',
      [networkId, ids],
    );
    const byDraw = Map.groupBy(places, ({ draw_id }) => draw_id);
    for (const { id, kept: by } of its) {
      const round = rounds.find(({ draw_id }) => draw_id === id);
      const beacon = by!.beacon;
      found.set(id, {
        keepers: (byDraw.get(id) ?? []).map(({ draw_id: _, path, closes_at, released_at, ...place }) => ({
          ...place,
          closesAt: closes_at.toISOString(),
          releasedAt: released_at?.toISOString() ?? null,
          path: Array.from({ length: path.length / 32 }, (__, nth) => path.toString('hex', nth * 32, (nth + 1) * 32)),
        })),
        beacon: beacon && { ...beacon, round: Number(round?.round ?? 0), signature: round?.signature ?? null },
        knowable: knowable.find(({ draw_id }) => draw_id === id) ?? null,
      });
    }
  }
  return found;
}

/** A draw that others keep too, with how it was closed. */
interface KeptDrawRow extends KeptRow {
  readonly status: string;
  readonly source: string | null;
  readonly closes_at: Date;
  readonly commitment: Buffer;
  readonly tickets: number | null;
  readonly ticket_root: Buffer | null;
}

/**
 * Every draw that others keep too has from each of them what it opened with: commitments that lead to roots which they signed, seeds that fit them, and their
 * signatures for this draw with these tickets. None has taken the place of another.
 */
export async function auditKeepers(db: Queryable): Promise<Check> {
  const found = new Findings();
  let rows = 0;
  const pages = readPages<KeptDrawRow>(
    db,
    `select d.network_id, d.id, d.status, d.source, d.closes_at, d.commitment, d.ticket_count as tickets, ${TICKET_ROOT} as ticket_root, terms.kept
     from draws d join draw_terms terms on terms.id = d.terms_id and terms.kept is not null`,
    'd',
  );
  for await (const page of pages) {
    rows += page.length;
    const kept = await readKeptOf(db, page);
    for (const draw of page)
      for (const problem of problemsOf(draw, kept.get(draw.id)!))
        found.add(`draw ${draw.id} of network ${draw.network_id}: ${problem}`);
  }
  const twice = await db.query<{ day: string; index: number; count: bigint; first: string }>(
    'select day::text, index, count(*), min(draw_id::text) as first from draw_keepers group by keeper, day, index having count(*) > 1 order by day, index limit 100',
  );
  for (const { day, index, count, first } of twice)
    found.add(`${count} draws, ${first} among them, have the same seed of a keeper, ${index} of ${day}`);
  const alone = await db.query<{ draw_id: string; network_id: number }>(
    `select distinct k.draw_id, k.network_id from (
       select network_id, draw_id from draw_keepers union select network_id, draw_id from draw_beacons union select network_id, draw_id from knowable_draws
     ) as k left join draws d on d.network_id = k.network_id and d.id = k.draw_id left join draw_terms terms on terms.id = d.terms_id
     where terms.kept is null order by k.draw_id limit 100`,
  );
  for (const { draw_id, network_id } of alone)
    found.add(`draw ${draw_id} of network ${network_id} has what others keep of a seed, and no terms that say so`);
  return { name: 'every draw has of its keepers what it opened with', rows, problems: found.problems };
}

function problemsOf(draw: KeptDrawRow, { keepers, beacon, knowable }: KeptOf): string[] {
  const problems: string[] = [];
  const named = draw.kept!.keepers.map(({ name, publicKey }) => `${name} ${publicKey}`);
  if (named.join() !== keepers.map(({ name, publicKey }) => `${name} ${publicKey}`).join())
    problems.push(`Its terms name the keepers ${named.join(', ') || 'none'}, and others have parts of its seed.`);
  if (draw.kept!.beacon && beacon!.round === 0) problems.push('Its terms name a chain of drand, and it has no round.');
  // That the chain is the one of its hash. The signature of each round takes 20 ms: mirrors and whoever checks a draw look at it.
  if (draw.kept!.beacon)
    problems.push(...examineRound({ ...draw.kept!.beacon, round: beacon!.round, signature: null }));
  const checked = {
    drawId: draw.id,
    closesAt: draw.closes_at.toISOString(),
    commitment: draw.commitment.toString('hex'),
    tickets: draw.tickets,
    ticketRoot: draw.ticket_root?.toString('hex') ?? null,
    keepers,
  };
  problems.push(...examineKeepers(checked, isSigned).problems);
  const lacks = keepers.some(({ seed }) => seed === null) || beacon?.signature === null;
  if (draw.source === 'generated' && lacks) problems.push('It was generated, and a part of its seed is missing.');
  if (knowable !== null && draw.status !== 'void')
    problems.push(`It is ${draw.status} and is said to be void though its result was knowable.`);
  return problems;
}

function isSigned(signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean {
  return verifyOnNode(publicKey, text, signature);
}
