import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';

/** Hashes per full tile, entries per full bundle. */
export const TILE_WIDTH = 256;
const MAX_LEVEL = 63;
const DIGITS = 3;
const PARTIAL_PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

export type Tile = {
  /** Level 0 holds leaf hashes; `entries` their content. */
  readonly level: number | 'entries';
  readonly index: number;
  /** 256 if full, else 1 to 255. */
  readonly width: number;
};

/** Returns a path relative to the log's prefix, like `tile/1/x001/234.p/17`. */
export function tilePath({ level, index, width }: Tile): string {
  if (!isTile({ level, index, width })) throw new RangeError(`There is no tile ${level}/${index} of width ${width}.`);
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / DIGITS) * DIGITS, '0');
  const parts = padded.match(/\d{3}/g)!;
  const place = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
  return `tile/${level}/${place}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Null unless a canonical tile path. */
export function parseTilePath(path: string): Tile | null {
  const [, level, place, width] = PARTIAL_PATH.exec(path) ?? [];
  if (level === undefined || place === undefined) return null;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(place.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  // Requires the canonical path: no extra zeros, no width for full tiles.
  return isTile(tile) && tilePath(tile) === path ? tile : null;
}

function isTile({ level, index, width }: Tile): boolean {
  const isLevel = level === 'entries' || (Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL);
  const isWidth = Number.isInteger(width) && width >= 1 && width <= TILE_WIDTH;
  return isLevel && isWidth && Number.isSafeInteger(index) && index >= 0;
}

/** Counts one node per 256^level leaves. */
export function nodesOfLevel(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

export function tileOfTree(size: number, level: number | 'entries', index: number): Tile | null {
  const nodes = nodesOfLevel(size, level === 'entries' ? 0 : level);
  const width = Math.min(TILE_WIDTH, nodes - index * TILE_WIDTH);
  return width > 0 ? { level, index, width } : null;
}

export function partialTiles(size: number): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; nodesOfLevel(size, level) > 0; level++) {
    const nodes = nodesOfLevel(size, level);
    if (nodes % TILE_WIDTH > 0) tiles.push({ level, index: Math.floor(nodes / TILE_WIDTH), width: nodes % TILE_WIDTH });
  }
  return tiles;
}

export function joinNodes(nodes: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(nodes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of nodes) {
    if (some.length % NODE_BYTES !== 0)
      throw new RangeError(`A hash of a tree has ${NODE_BYTES} bytes, not ${some.length}.`);
    all.set(some, at);
    at += some.length;
  }
  return all;
}

/** Accepts a longer version with the same prefix. */
export function nodesOfTile(tile: Tile, read: Uint8Array): Uint8Array {
  const bytes = tile.width * NODE_BYTES;
  if (read.length < bytes || read.length % NODE_BYTES !== 0)
    throw new RangeError(`The tile ${tilePath(tile)} has ${bytes} bytes, not ${read.length}.`);
  return read.subarray(0, bytes);
}

const ENTRY_LENGTH_BYTES = 2;

export const MAX_ENTRY_BYTES = 65_535;

/** Writes each entry after its length in two bytes, big-endian (C2SP tlog-tiles). */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, { length }) => sum + ENTRY_LENGTH_BYTES + length, 0));
  let at = 0;
  for (const entry of entries) {
    const { length } = entry;
    if (length > MAX_ENTRY_BYTES)
      throw new RangeError(`An entry has at most ${MAX_ENTRY_BYTES} bytes; this one has ${length}.`);
    bytes.set([length >> 8, length & 0xff], at);
    bytes.set(entry, at + ENTRY_LENGTH_BYTES);
    at += ENTRY_LENGTH_BYTES + length;
  }
  return bytes;
}

/** Returns views into the bytes. */
export function parseBundle(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + ENTRY_LENGTH_BYTES;
    const end = start <= bytes.length ? start + view.getUint16(at) : start;
    if (end > bytes.length)
      throw new RangeError(`The bundle of ${bytes.length} bytes ends within its entry ${entries.length}.`);
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  return entries;
}
