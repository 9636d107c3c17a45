import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { PRUNED_LINE, readPruned } from '@drawhouse/rules/records/cleared-records';
import { readRecord } from '@drawhouse/tlog/node/record-entries';
import { TILE_WIDTH } from '@drawhouse/tlog/tiles';
import { rootOfFull, type LogToRead } from '../read/read-bundle.ts';
import type { SealedTree } from '../read/read-sealed-log.ts';
import { signedStateOf, type SealsToAudit } from '../seal/seal-heads.ts';
import { tileIfThere } from '../seal/seal-files.ts';

export interface MissingBundle {
  readonly first: number;
  readonly width: number;
  readonly root: Uint8Array | undefined;
}

export class PruningRecords {
  readonly #roots = new Map<string, string>();

  take(line: string, entry: Uint8Array): void {
    if (line !== PRUNED_LINE) return;
    const { nth, index, root } = readPruned(readRecord(entry).fields);
    this.#roots.set(`${nth}/${index}`, root);
  }

  unrecorded(missing: readonly MissingBundle[], nth: number): MissingBundle[] {
    return missing.filter(({ first, root }) => {
      const recorded = this.#roots.get(`${nth}/${first / TILE_WIDTH}`);
      return root === undefined || recorded !== Buffer.from(root).toString('hex');
    });
  }
}

export interface ReadNewest {
  readonly seals: SealsToAudit;
  readonly nth: number;
  readonly tree: SealedTree;
  readonly prunings: PruningRecords;
}

export interface JudgedMissing {
  readonly unrecorded: string | undefined;
  /** Hashes of records pruned while reading; an older snapshot may still show their rows. */
  readonly late: ReadonlySet<string>;
}

export function hashKey(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}

/** The server may prune during the audit, so later records count too. */
export async function judgeMissing(
  missing: readonly MissingBundle[],
  { nth, log }: { readonly nth: number; readonly log: LogToRead },
  newest: ReadNewest,
): Promise<JudgedMissing> {
  const { prunings } = newest;
  const unknown = prunings.unrecorded(missing, nth);
  if (unknown.length === 0) return { unrecorded: undefined, late: new Set() };
  const unrecorded = (await prunedSince(newest)).unrecorded(unknown, nth);
  const late = new Set<string>();
  for (const bundle of unknown)
    if (!unrecorded.includes(bundle)) for (const hash of await hashesOf(bundle, log)) late.add(hash);
  return { unrecorded: unrecorded.length > 0 ? sentenceOf(unrecorded, log.origin) : undefined, late };
}

export async function hasReached({ seals, nth, tree }: ReadNewest, size: number, root: Uint8Array): Promise<boolean> {
  const state = await signedStateOf(seals, nth);
  return state !== undefined && state.size >= size && (await tree.entriesSince(size, root)) !== undefined;
}

/** Empty if the new state is unsigned or does not extend the log. */
async function prunedSince({ seals, nth, tree }: ReadNewest): Promise<PruningRecords> {
  const records = new PruningRecords();
  const state = await signedStateOf(seals, nth);
  const entries = state && (await tree.entriesSince(state.size, Buffer.from(state.root, 'hex')));
  for (const entry of entries ?? []) records.take(firstLineOf(entry), entry);
  return records;
}

function firstLineOf(entry: Uint8Array): string {
  const { table, version } = readRecord(entry);
  return `${table} ${version}`;
}

async function hashesOf({ first, root }: MissingBundle, { folder }: LogToRead): Promise<string[]> {
  const tile = await tileIfThere(folder, { level: 0, index: first / TILE_WIDTH, width: TILE_WIDTH });
  const own = tile && rootOfFull(tile);
  if (!own || !root || Buffer.compare(own, root) !== 0) return [];
  return Array.from({ length: TILE_WIDTH }, (_, at) => hashKey(tile.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES)));
}

function sentenceOf(untold: readonly MissingBundle[], origin: string): string {
  const { first } = untold[0]!;
  let end = first;
  for (const bundle of untold) if (bundle.first === end) end += bundle.width;
  const rest = untold.reduce((sum, { width }) => sum + width, 0) - (end - first);
  const others = rest > 0 ? `, nor for ${rest} others after them` : '';
  return `records ${first} to ${end - 1} of ${origin} are gone, and no record says they were cleared${others}`;
}
