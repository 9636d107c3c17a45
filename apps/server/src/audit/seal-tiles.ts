import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TILE_WIDTH, tilePath } from '@drawhouse/tlog/tile-paths';
import type { Tile } from '@drawhouse/tlog/tile-paths';

/** The content of a file; undefined where it is not there. */
export async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** The names in a folder; none where it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** The numbers of the logs in a folder of seals, the first one first. */
export async function logNumbers(dir: string): Promise<number[]> {
  const names = await namesIn(dir);
  return names
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** A tile or bundle of a log, or the full one that took its place; undefined where there is neither. */
export async function tileIfThere(folder: string, tile: Tile): Promise<Buffer | undefined> {
  const own = await readIfThere(join(folder, tilePath(tile)));
  return own ?? (tile.width < TILE_WIDTH ? readIfThere(join(folder, tilePath({ ...tile, width: TILE_WIDTH }))) : own);
}
