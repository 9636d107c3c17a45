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

/** Where a tile or bundle of a log is: its own file, or the full one that took its place. */
export function tileFiles(folder: string, tile: Tile): string[] {
  return [...new Set([tile.width, TILE_WIDTH])].map((width) => join(folder, tilePath({ ...tile, width })));
}

/** A tile or bundle of a log; undefined where it is not there. */
export async function tileIfThere(folder: string, tile: Tile): Promise<Buffer | undefined> {
  for (const file of tileFiles(folder, tile)) {
    const bytes = await readIfThere(file);
    if (bytes) return bytes;
  }
  return undefined;
}
