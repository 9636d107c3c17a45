import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCheckpoint, originOf } from '@drawhouse/tlog/checkpoints';
import { formatBundle, parseBundle, TILE_WIDTH, tileOfTree, type Tile } from '@drawhouse/tlog/tiles';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { signText, type Ed25519Signer, signState } from '@drawhouse/tlog/note-signatures';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { formatNote } from '@drawhouse/tlog/signed-notes';
import { EMPTY_EDGE, growTree, readEdge, rootOfEdge, type TileFile, type TreeEdge } from '@drawhouse/tlog/tile-writer';
import { OWN_FOLDER } from '../../platform/db/embedded/durable-file.ts';
import { indexDraws, type DrawPlace } from '../read/draw-index.ts';
import {
  namesIn,
  readIfThere,
  readTile,
  removeBeyond,
  removePartial,
  writeTiles,
  ifMissing,
  isUnreadable,
} from './seal-files.ts';
import { verifierKey } from './seal-key.ts';
import {
  checkpointOf,
  readState,
  replaceShared,
  requireSigned,
  requireState,
  STATE_FILE,
  writeState,
  type SealState,
} from './seal-state.ts';

const CHECKPOINT_FILE = 'checkpoint';
const NTH = /^[1-9]\d{0,8}$/;

export async function logsIn(dir: string): Promise<number[]> {
  const names = await namesIn(dir);
  return names
    .filter((name) => NTH.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

export async function readCheckpoint(folder: string): Promise<string | undefined> {
  return (await readIfThere(join(folder, CHECKPOINT_FILE)))?.toString();
}

/**
 * Skips a folder in which a killed `begin` sealed nothing. A log that lost its state and checkpoint counts if the
 * database knows its records (`known`).
 */
export async function newestBegunLog(
  dir: string,
  known: readonly { readonly origin: number; readonly size: bigint }[],
): Promise<number | undefined> {
  for (const nth of (await logsIn(dir)).toReversed()) {
    const folder = join(dir, String(nth));
    for (const file of [CHECKPOINT_FILE, STATE_FILE])
      if (await stat(join(folder, file)).then(() => true, isThere)) return nth;
    const isKnown = known.some(({ origin, size }) => origin === nth && size > 0n);
    const hasEntries = async (): Promise<boolean> =>
      namesIn(join(folder, 'tile', 'entries')).then((names) => names.length > 0, isThere);
    if (isKnown && (await hasEntries())) return nth;
  }
  return undefined;
}

/** An unreadable file exists. */
function isThere(error: NodeJS.ErrnoException): boolean {
  return isUnreadable(error) || ifMissing(false)(error);
}

export interface LogPlace {
  readonly dir: string;
  readonly nth: number;
  readonly name: string;
  readonly signer: Ed25519Signer;
}

interface LeftLog {
  readonly state: SealState;
  readonly edge: TreeEdge;
  readonly open: readonly Uint8Array[];
}

/**
 * C2SP tlog-tiles format (docs/seals.md). Writes count only after {@link seal} stores the state. After any error,
 * discard and reopen the log.
 */
export class SealLog {
  readonly nth: number;
  readonly origin: string;
  readonly key: NoteKey;
  readonly folder: string;
  readonly #signer: Ed25519Signer;
  readonly #name: string;
  #state: SealState;
  #edge: TreeEdge;
  #open: readonly Uint8Array[];
  readonly #waiting: Uint8Array[] = [];
  readonly #full: Tile[] = [];
  readonly #noted: DrawPlace[] = [];
  readonly #folders = new Set<string>();

  private constructor(place: LogPlace, folder: string, { state, edge, open }: LeftLog) {
    this.nth = place.nth;
    this.origin = originOf(place.name, place.nth);
    this.key = verifierKey(this.origin, place.signer.publicKey);
    this.folder = folder;
    this.#name = this.origin;
    this.#signer = place.signer;
    this.#state = state;
    this.#edge = edge;
    this.#open = open;
  }

  static async open(place: LogPlace): Promise<SealLog> {
    const folder = join(place.dir, String(place.nth));
    await removeLeftovers(folder);
    const stored = await readState(folder);
    const checkpoint = await readCheckpoint(folder);
    if (!stored) {
      if (checkpoint !== undefined)
        throw new Error(
          `state.json, which holds the size of the log, is missing in ${folder}. Put the original file back. ` +
            'If it is lost for good, start a new log: npm run seals -- begin',
        );
      await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
      await removeBeyond(folder, 0);
      const state = {
        size: 0,
        root: Buffer.from(rootOfEdge(EMPTY_EDGE)).toString('hex'),
        snapshot: '',
        previous: null,
      };
      return new SealLog(place, folder, { state, edge: EMPTY_EDGE, open: [] });
    }
    const { signature: _, ...state } = stored;
    const key = verifierKey(originOf(place.name, place.nth), place.signer.publicKey);
    await requireSigned(folder, stored, key);
    const signed = await checkpointOf(checkpoint, key);
    if (signed && signed.size > stored.size)
      throw new Error(
        `state.json in ${folder} is outdated: it says ${stored.size} records, but the checkpoint there says ` +
          `${signed.size}. Put the newest one back. If it is lost for good, start a new log: npm run seals -- begin`,
      );
    // Signed data is never removed.
    await removeBeyond(folder, stored.size);
    const torn = (error: unknown): never => {
      throw new Error(`The seal files in ${folder} are damaged: ${(error as Error).message}`, { cause: error });
    };
    const edge = await readEdge(stored.size, (tile) => readTile(folder, tile)).catch(torn);
    if (Buffer.from(rootOfEdge(edge)).toString('hex') !== stored.root)
      torn(new Error('their root differs from the sealed one.'));
    const last = tileOfTree(stored.size, 'entries', Math.floor(stored.size / TILE_WIDTH));
    const open = last ? parseBundle(await readTile(folder, last).catch(torn)).slice(0, last.width) : [];
    return new SealLog(place, folder, { state, edge, open });
  }

  get state(): SealState {
    return this.#state;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  noteDraw(drawId: string): void {
    this.#noted.push({ drawId, index: this.#edge.size + this.#waiting.length });
  }

  put(entries: readonly Uint8Array[]): void {
    for (const entry of entries) this.#waiting.push(entry);
  }

  /** Durable. Throws if another server has sealed or begun to, since its tiles must stay. */
  async write(): Promise<void> {
    await requireState(this.folder, this.#state);
    const before = this.#edge.size;
    const { edge, tiles } = growTree(this.#edge, this.#waiting.map(nodeHashes.leaf));
    const entries = [...this.#open, ...this.#waiting];
    const bundles: TileFile[] = [];
    for (let from = 0; from < entries.length; from += TILE_WIDTH) {
      const some = entries.slice(from, from + TILE_WIDTH);
      const index = Math.floor(before / TILE_WIDTH) + bundles.length;
      bundles.push({ level: 'entries', index, width: some.length, bytes: formatBundle(some) });
    }
    const written = [...bundles, ...tiles];
    await writeTiles(this.folder, written, this.#folders);
    this.#open = entries.slice(entries.length - (edge.size % TILE_WIDTH));
    this.#waiting.length = 0;
    for (const { level, index, width } of written)
      if (width === TILE_WIDTH && tileOfTree(before, level, index)) this.#full.push({ level, index, width });
    this.#edge = edge;
  }

  async add(entries: readonly Uint8Array[]): Promise<void> {
    this.put(entries);
    await this.write();
  }

  /** Commits written entries. Everything the snapshot shows is sealed afterwards. */
  async seal(snapshot: string): Promise<void> {
    const { size, root, snapshot: before } = this.#state;
    const next = {
      size: this.#edge.size,
      root: Buffer.from(rootOfEdge(this.#edge)).toString('hex'),
      snapshot,
    };
    await indexDraws(this.folder, this.#noted.splice(0));
    const state = { ...next, previous: { size, root, snapshot: before } };
    await writeState(this.folder, { ...state, signature: signState(this.origin, state, this.#signer) });
    this.#state = state;
    // A log reopened earlier needs the partial tiles.
    await removePartial(this.folder, this.#full.splice(0));
  }

  async sign(): Promise<string> {
    const { size, root } = this.#state;
    const text = formatCheckpoint({ origin: this.origin, size, root: Buffer.from(root, 'hex') });
    const note = formatNote({ text, signatures: [signText(text, this.#name, this.#signer)] });
    await replaceShared(join(this.folder, CHECKPOINT_FILE), note, () => requireState(this.folder, this.#state));
    return note;
  }
}

/** Target name plus UUID (`replaceShared`). */
const TEMPORARY = /\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Only the sealer writes these. */
const SEALERS = /^(?:state\.json|checkpoint)\./;
/** No cosignature write takes this long. */
const SURELY_LEFT_MS = 3_600_000;

/**
 * Killed servers leave files. At a sealer's start its own files are all leftovers. Cosignatures may be in progress
 * elsewhere; only those an hour older than the newest file go, by the disk's clock.
 */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (SEALERS.test(name) && TEMPORARY.test(name)) await remove(folder, name);
  const cosigned = join(folder, 'witnesses');
  const files = await Promise.all(
    (await namesIn(cosigned)).map(async (name) => ({ name, writtenMs: await writtenAt(join(cosigned, name)) })),
  );
  const newestMs = Math.max(await writtenAt(join(folder, 'state.json')), ...files.map(({ writtenMs }) => writtenMs));
  for (const { name, writtenMs } of files)
    if (TEMPORARY.test(name) && writtenMs < newestMs - SURELY_LEFT_MS) await remove(cosigned, name);
}

async function writtenAt(file: string): Promise<number> {
  return stat(file).then(({ mtimeMs }) => mtimeMs, ifMissing(0));
}

async function remove(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}
