import { inclusionPath, NODE_BYTES, pathAbove, rootAbove, treeRoot } from '@drawhouse/rules/merkle';
import { keeperDayText } from '@drawhouse/rules/keeper-texts';
import type { NamedKeeper } from '@drawhouse/rules/terms';
import type { Queryable } from '../db/database.ts';
import { isSignedBy } from './ed25519.ts';
import { claimPlaces, findDay, findTwoRoots, keepDay, keepOther, skipPlaces } from './keeper-days.sql.ts';
import type { KeptDay } from './keeper-days.sql.ts';
import { MOST_COMMITMENTS, NoAnswer } from './keeper-client.ts';
import type { AnsweredDay, KeeperClient, WhoItIs } from './keeper-client.ts';

/** The leaves of a part of a day's tree: a power of two, so that its root is a node of the tree. Places are claimed by parts. */
const PART = 64;
/** So many places are held ready at least, and at most: what is held when a server stops is lost. */
const READY = { least: 256, most: 16_384 };

/** So often a keeper is asked again what it has published of the days that are known here. */
const LOOK_EVERY_MS = 60_000;

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
  /** Looks, each minute, whether the keeper still shows the roots that it has signed. Throws where it has signed two for one day, or does not answer. */
  lookAgain(now: Date): Promise<void>;
  /** Why no place of this keeper is given any more, whatever it answers: it has signed two roots for one day. */
  readonly conviction: () => string | undefined;
}

/** The places of a keeper that says who it is. What it has released already by then is not given to draws: this database may have been put back. */
export function createPlaces(db: Queryable, client: KeeperClient, keeper: WhoItIs): Places {
  const key = Buffer.from(keeper.publicKey, 'hex');
  const days = new Map<string, KeptDay>();
  let places: Place[] = [];
  let lookedAt = -Infinity;
  let convicted: string | undefined;

  async function dayOf(day: string, now: Date): Promise<KeptDay | null> {
    const known = days.get(day);
    if (known) return known;
    const shown = await client.readDay(day);
    if (shown && !(await findDay(db, key, day)))
      await keepDay(db, key, now, await checkedDay(client, keeper, day, shown));
    const kept = await findDay(db, key, day);
    if (!kept) return null;
    if (shown) await compare(kept, shown, now);
    const used = keeper.used.get(day) ?? 0;
    if (used > 0) await skipPlaces(db, key, day, Math.ceil(used / PART) * PART);
    days.set(day, kept);
    return kept;
  }

  /** Holds what the keeper shows of a day against what it showed first. Where it has signed both, both are kept. */
  async function compare({ day, size, root }: KeptDay, shown: AnsweredDay, now: Date): Promise<void> {
    if (shown.size === size && shown.root.equals(root)) return;
    requireSigned(keeper, day, shown);
    const [shownRoot, signature] = [shown.root.toString('hex'), shown.signature.toString('hex')];
    const seenAt = now.toISOString();
    await keepOther(db, key, day, { name: keeper.name, size: shown.size, root: shownRoot, signature, seenAt });
    await convict();
  }

  /** Throws where any server has seen that the keeper signed two roots for one day. */
  async function convict(): Promise<void> {
    const found = convicted === undefined ? await findTwoRoots(db, key) : undefined;
    if (found)
      convicted = `it has signed two roots for ${found.day}, ${found.root.toString('hex')} and ${found.other.root}`;
    if (convicted !== undefined) throw new NoAnswer(convicted);
  }

  const readyOf = (day: string): number => (convicted === undefined && places[0]?.of.day === day ? places.length : 0);
  return {
    ready: readyOf,
    take: (day) => (readyOf(day) > 0 ? places.shift() : undefined),
    conviction: () => convicted,
    async lookAgain(now) {
      if (Math.abs(now.getTime() - lookedAt) < LOOK_EVERY_MS) return;
      lookedAt = now.getTime();
      await convict();
      for (const kept of days.values()) {
        const shown = await client.readDay(kept.day);
        if (shown) await compare(kept, shown, now);
      }
    },
    async refill(day, wanted, now) {
      if (convicted !== undefined) throw new NoAnswer(convicted);
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

/** Throws where a day is not signed by its keeper. */
function requireSigned({ name, publicKey }: NamedKeeper, day: string, { size, root, signature }: AnsweredDay): void {
  const text = keeperDayText({ name, day, size, root: root.toString('hex') });
  if (!isSignedBy(Buffer.from(publicKey, 'hex'), text, signature))
    throw new NoAnswer(`its signature of ${day} is not right`);
}

/** A day that a keeper shows, checked: its signature, and that the root is that of all its commitments, which are read. */
async function checkedDay(
  client: KeeperClient,
  keeper: NamedKeeper,
  day: string,
  shown: AnsweredDay,
): Promise<KeptDay> {
  requireSigned(keeper, day, shown);
  const { size, root, signature } = shown;
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
  return { name: keeper.name, day, size, root, signature, part_roots: Buffer.concat(roots) };
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
