import { join } from 'node:path';
import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { formatBundle, parseBundle } from '@drawhouse/tlog/entry-bundles';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { nodesOfTile } from '@drawhouse/tlog/tile-bytes';
import { TILE_WIDTH, tileOfTree, tilePath } from '@drawhouse/tlog/tile-paths';
import type { Tile } from '@drawhouse/tlog/tile-paths';
import { EMPTY_EDGE, growTree, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import type { TreeEdge } from '@drawhouse/tlog/tile-writer';
import { readInclusion } from '@drawhouse/tlog/tree-reader';
import { isIncluded, sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { Look } from './log-watcher.ts';
import { MirrorFiles, nodesOf } from './mirror-files.ts';
import type { MirrorLook } from './mirror-files.ts';
import { Trouble } from './seals-client.ts';
import type { SealsClient } from './seals-client.ts';
import type { EvidenceBook } from './witness-evidence.ts';
import { keyOf } from './witnessed-log.ts';
import type { SignedCheckpoint, WitnessedLog } from './witnessed-log.ts';

const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** What was recomputed is said so often. */
const TELL_EVERY_MS = 3_600_000;
/** The server clears what is of days that have ended, after a backup: what came into the log within so long is not cleared yet. */
const CLEARED_AFTER_MS = 600_000;
/** When a mirror looked last is written down so often, for the next start. */
const KEEP_LOOK_EVERY_MS = 60_000;

/** What reads the records that a mirror has: the seam to whatever they are recomputed by. */
export type MirrorReader = {
  /** The entries of the n-th log are given from the first on: whatever was read of it before is forgotten. */
  begin(nth: number): void;
  /** Is given entries of the n-th log, in their order, each once after each beginning; undefined for a bundle that was cleared before it was fetched, with the hashes of its leaves. */
  read(nth: number, entries: readonly Uint8Array[] | undefined, leaves?: readonly Uint8Array[]): void;
  /** All entries of a checkpoint were read: gives whatever was found to be wrong so far, what a person is to know and was not given before, and what was recomputed, as sentences. */
  judge(checkpoint: SignedCheckpoint): {
    readonly problems: readonly string[];
    readonly news: readonly string[];
    readonly summary: string;
  };
};

/** What a mirror works with. */
export type MirrorOptions = {
  /** The folder of the witness. */
  readonly dir: string;
  readonly log: WitnessedLog;
  readonly client: SealsClient;
  readonly evidence: EvidenceBook;
  readonly reader: MirrorReader;
  readonly say: (sentence: string) => void;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
};

/** How far a mirror of one log has come: the tree of what is kept, and the entries of its last bundle where that is not full. */
type Mirrored = {
  edge: TreeEdge;
  open: readonly Uint8Array[];
  readonly files: MirrorFiles;
  /** When all was there last. */
  looked: MirrorLook | undefined;
  /** When this process wrote that down last. */
  keptMs: number;
  /** The bundle that was withheld since. */
  withheld: number | undefined;
};

/** Records that are not those that were sealed. */
class WrongRecords extends Error {}

/**
 * Keeps the records of a server's logs below `mirror/<n>`. Each bundle is held against the checkpoint before it is kept: the way from its own hashes up
 * has to end in the root that the log signed, whatever the server says in between.
 */
export class LogMirror {
  readonly #with: MirrorOptions;
  readonly #logs = new Map<number, Mirrored>();
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(options: MirrorOptions) {
    this.#with = options;
  }

  /** Fetches what a checkpoint has more than is kept. Answers what stands in the way, and nothing where all is there and right. Rejects where its folder can't be written. */
  async follow(checkpoint: SignedCheckpoint): Promise<Look | undefined> {
    try {
      const at = await this.#open(checkpoint.nth);
      const tiles = new Map<string, Promise<Uint8Array>>();
      while (at.edge.size < checkpoint.size) await this.#fetchNext(checkpoint, at, tiles);
      if (at.edge.size === checkpoint.size && !sameBytes(rootOfEdge(at.edge, nodeHashes), checkpoint.root))
        return trouble(damaged(checkpoint.nth));
      await this.#keepLook(at);
      return await this.#judge(checkpoint);
    } catch (error) {
      if (error instanceof WrongRecords) return this.#refuse(checkpoint, error.message);
      if (!(error instanceof Trouble)) throw error;
      return trouble(
        error.status === FORBIDDEN
          ? 'The server does not give its records: --token is that of its SEAL_MIRROR_TOKEN.'
          : error.message,
      );
    }
  }

  async #judge(checkpoint: SignedCheckpoint): Promise<Look | undefined> {
    const { reader, say, now } = this.#with;
    const { problems, news, summary } = reader.judge(checkpoint);
    for (const sentence of news) say(`${checkpoint.origin}: ${sentence}`);
    if (now() - this.#toldMs >= TELL_EVERY_MS) {
      say(summary);
      this.#toldMs = now();
    }
    for (const problem of problems) await this.#keepEvidence(checkpoint, `RECORDS of ${checkpoint.origin}: ${problem}`);
    const [first] = problems;
    return first === undefined ? undefined : { is: 'refused', says: `RECORDS of ${checkpoint.origin}: ${first}` };
  }

  /** All is there: what comes into the log from now on is younger than this. */
  async #keepLook(at: Mirrored): Promise<void> {
    at.looked = { size: at.edge.size, atMs: this.#with.now() };
    at.withheld = undefined;
    if (at.looked.atMs - at.keptMs < KEEP_LOOK_EVERY_MS) return;
    at.keptMs = at.looked.atMs;
    await at.files.keepLook(at.looked);
  }

  /** Reads what is kept of a log, once, unless that stops midway. */
  async #open(nth: number): Promise<Mirrored> {
    const known = this.#logs.get(nth);
    if (known) return known;
    const files = new MirrorFiles(join(this.#with.dir, 'mirror', String(nth)));
    const looked = await files.readLook();
    const keptMs = Number.NEGATIVE_INFINITY;
    const at: Mirrored = { edge: EMPTY_EDGE, open: [], files, looked, keptMs, withheld: undefined };
    // What stopped amid it before is read again.
    this.#with.reader.begin(nth);
    try {
      for await (const { leaves, entries } of files.read()) {
        at.edge = growTree(at.edge, leaves, nodeHashes).edge;
        at.open = leaves.length < TILE_WIDTH ? entries! : [];
        this.#with.reader.read(nth, entries, leaves);
      }
    } catch (error) {
      throw error instanceof RangeError ? new Trouble(damaged(nth)) : error;
    }
    this.#logs.set(nth, at);
    return at;
  }

  async #fetchNext(checkpoint: SignedCheckpoint, at: Mirrored, tiles: Map<string, Promise<Uint8Array>>): Promise<void> {
    const { client, reader } = this.#with;
    const { nth } = checkpoint;
    const tile = tileOfTree(checkpoint.size, 'entries', Math.floor(at.edge.size / TILE_WIDTH))!;
    const bytes = await client.tile(nth, tile).catch((error: Error) => {
      const isCleared = error instanceof Trouble && error.status === NOT_FOUND && tile.width === TILE_WIDTH;
      if (isCleared && at.open.length === 0) return undefined;
      throw error;
    });
    if (!bytes) return this.#takeCleared(checkpoint, at, tile.index);
    const entries = entriesOf(tile, bytes);
    const leaves = entries.map(nodeHashes.leaf);
    await this.#verify(checkpoint, { tile, entries, leaves }, tiles);
    const fresh = entries.slice(at.open.length);
    await at.files.keep(tile.index, tile.width, formatBundle(entries));
    at.edge = growTree(at.edge, leaves.slice(at.open.length), nodeHashes).edge;
    at.open = tile.width < TILE_WIDTH ? entries : [];
    reader.read(nth, fresh);
  }

  /** Throws WrongRecords where a bundle can't have been cleared yet: it was not there when the mirror had all that there was, and that is not long ago. */
  #requireOld(at: Mirrored, index: number): void {
    const first = index * TILE_WIDTH;
    const { looked } = at;
    const isYoung = looked && first >= looked.size && this.#with.now() - looked.atMs < CLEARED_AFTER_MS;
    if (!isYoung && at.withheld !== index) return;
    at.withheld = index;
    throw new WrongRecords(
      `the server does not give the records ${first} to ${first + TILE_WIDTH - 1}, as if they were cleared. They came less than ten minutes before they were asked for: nothing is cleared so soon, but where a network came back by a restore and was cleared at once.`,
    );
  }

  /** Of what the server has cleared its hashes are all there is; whether they are right shows with the root of the whole. */
  async #takeCleared({ nth }: SignedCheckpoint, at: Mirrored, index: number): Promise<void> {
    const { client, reader } = this.#with;
    const tile = { level: 0, index, width: TILE_WIDTH };
    const bytes = whole(tile, await client.tile(nth, tile));
    // A server that has not even the hashes is in trouble, and may be asked again.
    this.#requireOld(at, index);
    await at.files.keepCleared(index, bytes);
    const leaves = nodesOf(bytes);
    at.edge = growTree(at.edge, leaves, nodeHashes).edge;
    reader.read(nth, undefined, leaves);
  }

  /** Throws WrongRecords where these entries don't stand at their places in the checkpoint's tree. */
  async #verify(
    { nth, size, root }: SignedCheckpoint,
    { tile, entries, leaves }: { tile: Tile; entries: readonly Uint8Array[]; leaves: readonly Uint8Array[] },
    tiles: Map<string, Promise<Uint8Array>>,
  ): Promise<void> {
    const own = Buffer.concat(leaves);
    const fetched = (asked: Tile): Promise<Uint8Array> => {
      const path = tilePath(asked);
      const known = tiles.get(path) ?? this.#with.client.tile(nth, asked);
      // Of the lowest level each is needed for its neighbours alone.
      if (asked.level !== 0) tiles.set(path, known);
      return known;
    };
    const readTile = (asked: Tile): Promise<Uint8Array> =>
      asked.level === 0 && asked.index === tile.index ? Promise.resolve(own) : fetched(asked);
    const index = tile.index * TILE_WIDTH;
    // The path of the first one has, in itself, the hashes of all others of its tile.
    const path = await readInclusion({ size, readTile, hashes: nodeHashes }, index, size).catch((error: Error) => {
      throw error instanceof Trouble ? error : new Trouble(error.message);
    });
    if (isIncluded({ leaf: entries[0]!, index, size, path }, root)) return;
    const sealed = whole({ ...tile, level: 0 }, await this.#with.client.tile(nth, { ...tile, level: 0 }));
    const wrong = leaves.findIndex(
      (leaf, at) => !sameBytes(leaf, sealed.subarray(NODE_BYTES * at, NODE_BYTES * (at + 1))),
    );
    throw new WrongRecords(
      wrong < 0
        ? `the hashes of the records from ${index} on don’t lead to the root that was signed.`
        : `the record ${index + wrong} is not the one that was sealed.`,
    );
  }

  async #refuse(checkpoint: SignedCheckpoint, what: string): Promise<Look> {
    const says = `RECORDS of ${checkpoint.origin}: ${what}`;
    await this.#keepEvidence(checkpoint, says);
    return { is: 'refused', says };
  }

  async #keepEvidence(checkpoint: SignedCheckpoint, says: string): Promise<void> {
    const { log, evidence, say, now } = this.#with;
    const isNew = await evidence.add({
      kind: 'records',
      found: new Date(now()).toISOString(),
      says,
      key: formatNoteKey(keyOf(log, checkpoint.origin)),
      kept: checkpoint.note,
      shown: checkpoint.note,
      proof: null,
    });
    if (isNew) say(says);
  }
}

/** As many entries as the tile has: of a longer bundle its first. Rejects what is none with Trouble. */
function entriesOf(tile: Tile, bytes: Uint8Array): readonly Uint8Array[] {
  let entries: readonly Uint8Array[];
  try {
    entries = parseBundle(bytes);
  } catch (error) {
    throw new Trouble((error as Error).message);
  }
  if (entries.length < tile.width) throw new Trouble(`${tilePath(tile)} has ${entries.length} entries alone.`);
  return entries.slice(0, tile.width);
}

function whole(tile: Tile, bytes: Uint8Array): Uint8Array {
  try {
    return nodesOfTile(tile, bytes);
  } catch (error) {
    throw new Trouble((error as Error).message);
  }
}

function damaged(nth: number): string {
  return `What is kept in mirror/${nth} is damaged: remove that folder, and start the witness again; all of it is fetched anew.`;
}

function trouble(says: string): Look {
  return { is: 'trouble', says };
}
