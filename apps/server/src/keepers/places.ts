import { inclusionPath, NODE_BYTES, pathAbove, rootAbove, treeRoot } from '@drawhouse/rules/merkle';
import { keeperDayText } from '@drawhouse/rules/keeper-texts';
import type { NamedKeeper } from '@drawhouse/rules/terms';
import type { Queryable } from '../db/database.ts';
import { isSignedBy } from './ed25519.ts';
import { claimPlaces, findDay, keepDay } from './keeper-days.sql.ts';
import type { KeptDay } from './keeper-days.sql.ts';
import { MOST_COMMITMENTS, NoAnswer } from './keeper-client.ts';
import type { KeeperClient } from './keeper-client.ts';

/** The leaves of a part of a day's tree: a power of two, so that its root is a node of the tree. Places are claimed by parts. */
const PART = 64;
/** So many places are held ready at least, and at most: what is held when a server stops is lost. */
const READY = { least: 256, most: 16_384 };

/** One seed of a keeper, which one draw takes. */
export interface Place {
  readonly keeper: NamedKeeper;
  readonly of: Omit<KeptDay, 'part_roots'>;
  readonly index: number;
  readonly commitment: Buffer;
  /** The nodes from the commitment to the root of the day, 32 bytes each. */
  readonly path: Buffer;
}

/** The places of one keeper that this server has claimed and no draw has taken yet. */
export interface Places {
  /** How many there are for draws that open on a day. */
  ready(day: string): number;
  take(day: string): Place | undefined;
  /** Looks that so many are ready on a day, and claims more. Throws where the keeper does not answer, or wrongly. */
  refill(day: string, wanted: number, now: Date): Promise<void>;
  /** Looks at a day that is to come, so that it is known here before it begins. */
  lookAhead(day: string, now: Date): Promise<void>;
}

/** The places of a keeper, which `keeper` names. */
export function createPlaces(db: Queryable, client: KeeperClient, keeper: NamedKeeper): Places {
  const key = Buffer.from(keeper.publicKey, 'hex');
  const days = new Map<string, KeptDay>();
  let places: Place[] = [];

  async function dayOf(day: string, now: Date): Promise<KeptDay | null> {
    const known = days.get(day) ?? (await findDay(db, key, day));
    if (!known) {
      const read = await readDay(client, keeper, day);
      if (!read) return null;
      await keepDay(db, key, now, read);
    }
    const kept = known ?? (await findDay(db, key, day))!;
    days.set(day, kept);
    return kept;
  }

  return {
    ready: (day) => (places[0]?.of.day === day ? places.length : 0),
    take: (day) => (places[0]?.of.day === day ? places.shift() : undefined),
    async refill(day, wanted, now) {
      places = places.filter(({ of }) => of.day === day);
      for (const known of days.keys()) if (known < day) days.delete(known);
      const aim = Math.min(READY.most, Math.max(READY.least, wanted * 2));
      if (places.length >= Math.max(wanted, aim / 2)) return;
      const kept = await dayOf(day, now);
      if (!kept) throw new NoAnswer(`it has published no seeds of ${day}`);
      const { from, to } = await claimPlaces(db, key, day, Math.ceil((aim - places.length) / PART) * PART);
      if (from === to && places.length === 0) throw new NoAnswer(`all its ${kept.size} seeds of ${day} are taken`);
      for (let at = from; at < to; at += MOST_COMMITMENTS - (MOST_COMMITMENTS % PART)) {
        const end = Math.min(to, at + MOST_COMMITMENTS - (MOST_COMMITMENTS % PART));
        places.push(...placesOf(keeper, kept, at, await client.readCommitments(day, at, end - at)));
      }
    },
    async lookAhead(day, now) {
      await dayOf(day, now);
    },
  };
}

/** Reads a day from its keeper and checks it: its signature, and that the root is that of all its commitments. */
async function readDay(client: KeeperClient, { name, publicKey }: NamedKeeper, day: string): Promise<KeptDay | null> {
  const read = await client.readDay(day);
  if (!read) return null;
  const { size, root, signature } = read;
  const text = keeperDayText({ name, day, size, root: root.toString('hex') });
  if (!isSignedBy(Buffer.from(publicKey, 'hex'), text, signature))
    throw new NoAnswer(`its signature of ${day} is not right`);
  const roots: Uint8Array[] = [];
  let rest: Buffer[] = [];
  for (let from = 0; from < size; from += MOST_COMMITMENTS) {
    rest.push(...(await client.readCommitments(day, from, Math.min(MOST_COMMITMENTS, size - from))));
    const isLast = from + MOST_COMMITMENTS >= size;
    for (; rest.length >= PART || (isLast && rest.length > 0); rest = rest.slice(PART))
      roots.push(treeRoot(rest.slice(0, PART)));
  }
  if (!root.equals(rootAbove(roots)))
    throw new NoAnswer(`its commitments of ${day} do not give the root that it signed`);
  return { name, day, size, root, signature, part_roots: Buffer.concat(roots) };
}

/** The places from one on, whole parts, by their commitments. */
function placesOf(keeper: NamedKeeper, day: KeptDay, from: number, commitments: readonly Buffer[]): Place[] {
  const { part_roots: bytes, ...of } = day;
  const roots = Array.from({ length: bytes.length / NODE_BYTES }, (_, part) =>
    bytes.subarray(part * NODE_BYTES, (part + 1) * NODE_BYTES),
  );
  const found: Place[] = [];
  for (let at = 0; at < commitments.length; at += PART) {
    const leaves = commitments.slice(at, at + PART);
    const part = (from + at) / PART;
    if (!roots[part]?.equals(treeRoot(leaves)))
      throw new NoAnswer(`its commitments of ${of.day} from ${from + at} on are others than before`);
    const above = pathAbove(roots, part);
    for (const [nth, commitment] of leaves.entries())
      found.push({
        keeper: { name: of.name, publicKey: keeper.publicKey },
        of,
        index: from + at + nth,
        commitment,
        path: Buffer.concat([...inclusionPath(leaves, nth), ...above]),
      });
  }
  return found;
}
