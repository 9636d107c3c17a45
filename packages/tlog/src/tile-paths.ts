/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;
/** The largest level that a path may name. */
const MAX_LEVEL = 63;
const DIGITS = 3;
const PARTIAL_PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** A tile of hashes, or a bundle of entries, of a log (C2SP tlog-tiles). */
export type Tile = {
  /** From 0, whose tiles have the nodes of leaves; `entries` is a bundle of what these are made of. */
  readonly level: number | 'entries';
  /** Its place among those of its level, from 0. */
  readonly index: number;
  /** How many hashes or entries it has: 256 where it is full, else 1 to 255. */
  readonly width: number;
};

/** The path of a tile below the prefix of its log, like `tile/1/x001/234.p/17`. Throws RangeError where there is no such tile. */
export function tilePath({ level, index, width }: Tile): string {
  if (!isTile({ level, index, width })) throw new RangeError(`There is no tile ${level}/${index} of width ${width}.`);
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / DIGITS) * DIGITS, '0');
  const parts = padded.match(/\d{3}/g)!;
  const place = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
  return `tile/${level}/${place}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** The tile that a path names; null where it is not exactly the path of one. */
export function parseTilePath(path: string): Tile | null {
  const [, level, place, width] = PARTIAL_PATH.exec(path) ?? [];
  if (level === undefined || place === undefined) return null;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(place.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  // A number has one path only: without more zeros, and none for the width of a full tile.
  return isTile(tile) && tilePath(tile) === path ? tile : null;
}

function isTile({ level, index, width }: Tile): boolean {
  const isLevel = level === 'entries' || (Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL);
  const isWidth = Number.isInteger(width) && width >= 1 && width <= TILE_WIDTH;
  return isLevel && isWidth && Number.isSafeInteger(index) && index >= 0;
}

/** How many nodes of a level of tiles a tree of so many leaves has: those above 256 to the power of the level leaves each. */
export function nodesOfLevel(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The tile of a level and index as a tree of so many leaves has it, full or partial; null where it has none. */
export function tileOfTree(size: number, level: number | 'entries', index: number): Tile | null {
  const nodes = nodesOfLevel(size, level === 'entries' ? 0 : level);
  const width = Math.min(TILE_WIDTH, nodes - index * TILE_WIDTH);
  return width > 0 ? { level, index, width } : null;
}

/** The partial tiles of hashes at the right edge of a tree of so many leaves, the lowest first. */
export function partialTiles(size: number): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; nodesOfLevel(size, level) > 0; level++) {
    const nodes = nodesOfLevel(size, level);
    if (nodes % TILE_WIDTH > 0) tiles.push({ level, index: Math.floor(nodes / TILE_WIDTH), width: nodes % TILE_WIDTH });
  }
  return tiles;
}
