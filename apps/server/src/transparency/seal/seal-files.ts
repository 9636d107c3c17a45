import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodesOfLevel, TILE_WIDTH, tileOfTree, tilePath, type Tile } from '@drawhouse/tlog/tiles';
import type { TileFile } from '@drawhouse/tlog/tile-writer';
import { OWN_FOLDER, syncFolder, writeAllDurably } from '../../platform/db/embedded/durable-file.ts';

export { syncFolder };

const AT_ONCE = 64;

/**
 * Durable, file names included. Throws if a file exists, since then another server is writing. A delayed sealer thus
 * notices that it lost its turn. `written` caches folders.
 */
export async function writeTiles(folder: string, tiles: readonly TileFile[], written: Set<string>): Promise<void> {
  const files = tiles.map((tile) => ({ file: join(folder, tilePath(tile)), bytes: tile.bytes }));
  const folders = [...new Set(files.map(({ file }) => dirname(file)))];
  const fresh = folders.filter((one) => !written.has(one));
  const created = await Promise.all(fresh.map((one) => mkdir(one, { recursive: true, mode: OWN_FOLDER })));
  for (let at = 0; at < files.length; at += AT_ONCE) await writeNew(folder, files.slice(at, at + AT_ONCE));
  const above = created.flatMap((first) => (first === undefined ? [] : [dirname(first)]));
  await Promise.all([...new Set([...folders, ...fresh.map((one) => dirname(one)), ...above])].map(syncFolder));
  for (const one of fresh) written.add(one);
}

async function writeNew(folder: string, files: Parameters<typeof writeAllDurably>[0]): Promise<void> {
  await writeAllDurably(files).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`Another process is sealing in ${folder}.`, { cause: error });
  });
}

export async function removePartial(folder: string, full: readonly Tile[]): Promise<void> {
  await Promise.all(full.map((tile) => rm(`${join(folder, tilePath(tile))}.p`, { recursive: true, force: true })));
}

/** Its own file, or the full tile that replaced it. */
export function tileFiles(folder: string, tile: Tile): string[] {
  return [...new Set([tile.width, TILE_WIDTH])].map((width) => join(folder, tilePath({ ...tile, width })));
}

export async function readTile(folder: string, tile: Tile): Promise<Buffer> {
  const [own, whole] = tileFiles(folder, tile);
  if (whole === undefined) return readFile(own!);
  return (await readIfThere(own!)) ?? readFile(whole);
}

export async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(ifMissing(undefined));
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(ifMissing([]));
}

const LEVELS = 7;

/** Removes tiles that a crash left before sealing. Concurrent writes may leave gaps. */
export async function removeBeyond(folder: string, size: number): Promise<void> {
  for (const level of ['entries', ...Array.from({ length: LEVELS }, (_, nth) => nth)] as const) {
    const edge = Math.floor(nodesOfLevel(size, level === 'entries' ? 0 : level) / TILE_WIDTH);
    for (let index = edge, missing = 0; missing <= AT_ONCE; index++) {
      const width = tileOfTree(size, level, index)?.width ?? 0;
      const whole = join(folder, tilePath({ level, index, width: TILE_WIDTH }));
      const partial = await readdir(`${whole}.p`).catch(ifMissing([]));
      for (const name of partial) if (!(Number(name) <= width)) await rm(join(`${whole}.p`, name));
      const isThere = await rm(whole).then(() => true, ifMissing(false));
      missing = isThere || partial.length > 0 ? 0 : missing + 1;
    }
  }
}

const UNREADABLE: readonly unknown[] = 'EACCES EBADMSG EIO EISDIR ELOOP ENOTDIR ENXIO EPERM ESTALE EUCLEAN'.split(' ');

/** A lost database connection says nothing about the log. */
export function isUnreadable(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== 'connect' && UNREADABLE.includes(code);
}

export type IfUnreadable = <T>(value: T, file: string) => (error: NodeJS.ErrnoException) => T;

/** For audits: an unreadable file is lost like a missing one, and must not keep them from comparing the rest. */
export class UnreadableFiles {
  readonly #codes = new Map<string, string | undefined>();

  readonly ifUnreadable: IfUnreadable = (value, file) => (error) => {
    if (!isUnreadable(error)) return ifMissing(value)(error);
    this.#codes.set(file, error.code);
    return value;
  };

  get problems(): string[] {
    const [first] = this.#codes.keys();
    const codes = [...new Set(this.#codes.values())].join(', ');
    return first === undefined ? [] : [`${this.#codes.size} files could not be read: ${codes}, first ${first}`];
  }
}

export function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
}
