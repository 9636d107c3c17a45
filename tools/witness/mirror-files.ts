import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { TILE_WIDTH, tilePath } from '@drawhouse/tlog/tile-paths';
import { OWN_FOLDER, replaceDurably, syncFolder } from '../../apps/server/src/db/durable-file.ts';

/** One bundle of a mirror: its entries, or their hashes alone where the server had cleared them before they were fetched. */
export type KeptBundle = {
  readonly index: number;
  readonly leaves: readonly Uint8Array[];
  readonly entries: readonly Uint8Array[] | undefined;
};

/** When a mirror had all records that a log had then. */
export type MirrorLook = {
  /** How many those were. */
  readonly size: number;
  /** Milliseconds of Unix time. */
  readonly atMs: number;
};

const LOOK_FILE = 'looked';

/** The records of one log in files, as those of C2SP's tlog-tiles: `tile/entries/…`, and `tile/0/…` for what was cleared. */
export class MirrorFiles {
  readonly #folder: string;
  readonly #made = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps a bundle with all entries that it has now, in place of the shorter one. Done once the disk has it. */
  async keep(index: number, width: number, bundle: Uint8Array): Promise<void> {
    await this.#write(tilePath({ level: 'entries', index, width }), bundle);
    const partial = `${tilePath({ level: 'entries', index, width: TILE_WIDTH })}.p`;
    if (width === TILE_WIDTH) await rm(join(this.#folder, partial), { recursive: true, force: true });
    else
      for (const name of await readdir(join(this.#folder, partial)))
        if (name !== String(width)) await rm(join(this.#folder, partial, name), { force: true });
  }

  /** Keeps the hashes of a full bundle that was cleared. */
  async keepCleared(index: number, tile: Uint8Array): Promise<void> {
    await this.#write(tilePath({ level: 0, index, width: TILE_WIDTH }), tile);
  }

  /** Keeps when all was there last. Done once the disk has it. */
  async keepLook({ size, atMs }: MirrorLook): Promise<void> {
    await this.#write(LOOK_FILE, Buffer.from(`${size} ${atMs}\n`));
  }

  /** When all was there last, as far as it was kept. */
  async readLook(): Promise<MirrorLook | undefined> {
    const kept = /^(\d+) (\d+)\n$/.exec(String((await this.#readFile(LOOK_FILE)) ?? ''));
    return kept ? { size: Number(kept[1]), atMs: Number(kept[2]) } : undefined;
  }

  /** All that is kept, from the first bundle to the first that is missing. Throws RangeError where a file is damaged. */
  async *read(): AsyncGenerator<KeptBundle> {
    for (let index = 0; ; index++) {
      const kept = await this.#readBundle(index);
      if (!kept) return;
      yield kept;
      if (kept.leaves.length < TILE_WIDTH) return;
    }
  }

  async #readBundle(index: number): Promise<KeptBundle | undefined> {
    const full = tilePath({ level: 'entries', index, width: TILE_WIDTH });
    const whole = await this.#readFile(full);
    const cleared = whole ? undefined : await this.#readFile(tilePath({ level: 0, index, width: TILE_WIDTH }));
    if (cleared) return { index, leaves: nodesOf(cleared), entries: undefined };
    const bytes = whole ?? (await this.#readPartial(`${full}.p`));
    if (!bytes) return undefined;
    const entries = parseBundle(bytes);
    return { index, leaves: entries.map(nodeHashes.leaf), entries };
  }

  /** The longest partial bundle: a shorter one is left where the process was killed before it was removed. */
  async #readPartial(path: string): Promise<Uint8Array | undefined> {
    const names = await readdir(join(this.#folder, path)).catch(ignoreMissing);
    const widths = (names ?? []).map(Number).filter((width) => width > 0);
    return widths.length === 0 ? undefined : this.#readFile(`${path}/${Math.max(...widths)}`);
  }

  async #readFile(path: string): Promise<Uint8Array | undefined> {
    return readFile(join(this.#folder, path)).catch(ignoreMissing);
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#folder, path);
    const folder = dirname(file);
    if (!this.#made.has(folder)) {
      await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
      // The names of new folders too have to be on the disk: those of a path are few, and made once.
      for (let above = folder; above.length > this.#folder.length; above = dirname(above))
        await syncFolder(dirname(above));
      this.#made.add(folder);
    }
    await replaceDurably(file, bytes);
  }
}

/** The hashes of a full tile, each 32 bytes. Throws RangeError where it is none. */
export function nodesOf(tile: Uint8Array): Uint8Array[] {
  if (tile.length !== TILE_WIDTH * NODE_BYTES) throw new RangeError(`A tile has ${tile.length} bytes.`);
  return Array.from({ length: TILE_WIDTH }, (_, at) => tile.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES));
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
