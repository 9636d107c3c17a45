import { originOf, type Checkpoint } from '@drawhouse/tlog/checkpoints';
import { join } from 'node:path';
import { parseBundle, tileOfTree, tilePath } from '@drawhouse/tlog/tiles';
import { noteKey, SIGNATURE_TYPES, type NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { readRecord, unescapeField } from '@drawhouse/tlog/node/record-entries';
import { isSignedState, type LogState } from '@drawhouse/tlog/note-signatures';
import { NoteError } from '@drawhouse/tlog/signed-notes';
import { readRoot } from '@drawhouse/tlog/tree-reader';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { LogToRead } from '../read/read-bundle.ts';
import { readIfThere, tileIfThere } from './seal-files.ts';
import { logsIn } from './seal-log.ts';
import { readState, verifyCheckpoint, type SignedState } from './seal-state.ts';

export interface SealsToAudit {
  readonly dir: string;
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly witnesses: readonly NoteKey[];
}

export interface LogHead {
  readonly nth: number;
  readonly log: LogToRead;
  readonly snapshot: string;
  readonly roots: readonly { readonly what: string; readonly size: number; readonly root: Uint8Array }[];
  /**
   * Problem of a first state without checkpoint, which normally follows within moments. If the database knows the
   * state, someone removed the checkpoint.
   */
  readonly missingCheckpoint: string | undefined;
}

/** Reads the checkpoint before the state, so it is never newer. Undefined before the first seal. */
export async function headOfLogs(seals: SealsToAudit, problem: (text: string) => void): Promise<LogHead | undefined> {
  const nth = (await logsIn(seals.dir)).at(-1);
  if (nth === undefined) return undefined;
  const folder = join(seals.dir, String(nth));
  const { note, stateBytes } = await readHead(folder);
  if (nth === 1 && !note && !stateBytes) return undefined;
  const state = await stateOf(folder);
  const isFirst = nth === 1 && !note && state?.previous?.size === 0;
  const checkpoint = isFirst ? undefined : await signedCheckpoint(seals, nth, note, problem);
  if (!state) {
    problem(`${folder} has no state.json, so the size of its log is unknown`);
    return undefined;
  }
  const { size, root, snapshot, signature } = state;
  const origin = originOf(seals.name, nth);
  if (!(await isSignedState(state, signature, keyOf(seals, nth), verifyOnNode)))
    problem(`the size of the log ${origin} was changed in ${folder}/state.json: it is not signed by the seal key`);
  return {
    nth,
    log: { folder, origin, size },
    snapshot,
    roots: [
      { what: 'the sealed root', size, root: Buffer.from(root, 'hex') },
      ...(checkpoint ? [{ what: 'the root of the checkpoint', size: checkpoint.size, root: checkpoint.root }] : []),
    ],
    missingCheckpoint: isFirst ? notSigned(origin, MISSING) : undefined,
  };
}

/** The first seal writes the state first, so a lone state is read again. */
async function readHead(folder: string): Promise<{ note: Buffer | undefined; stateBytes: Buffer | undefined }> {
  const read = async () => ({
    note: await readIfThere(join(folder, 'checkpoint')),
    stateBytes: await readIfThere(join(folder, 'state.json')),
  });
  const head = await read();
  return !head.note && head.stateBytes ? read() : head;
}

const MISSING = 'It is missing.';

function notSigned(origin: string, why: string): string {
  return `the checkpoint of the log ${origin} is not validly signed: ${why}`;
}

export async function signedStateOf(seals: SealsToAudit, nth: number): Promise<LogState | undefined> {
  const state = await stateOf(join(seals.dir, String(nth)));
  return state && (await isSignedState(state, state.signature, keyOf(seals, nth), verifyOnNode)) ? state : undefined;
}

async function stateOf(folder: string): Promise<SignedState | undefined> {
  return readState(folder).catch(() => undefined);
}

async function signedCheckpoint(
  seals: SealsToAudit,
  nth: number,
  bytes: Uint8Array | undefined,
  problem: (text: string) => void,
): Promise<Checkpoint | undefined> {
  try {
    if (!bytes) throw new NoteError(MISSING);
    return await verifyCheckpoint(bytes, keyOf(seals, nth));
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    problem(notSigned(originOf(seals.name, nth), error.message));
    return undefined;
  }
}

export function keyOf({ name, publicKey }: SealsToAudit, nth: number): NoteKey {
  return noteKey(originOf(name, nth), SIGNATURE_TYPES.ed25519, publicKey);
}

/** Every follow-up log must name its predecessor's last checkpoint, whose tree must exist. */
export async function checkLogChain(
  seals: SealsToAudit,
  { nth: newest }: LogHead,
  firstEntry: Uint8Array | undefined,
  problem: (text: string) => void,
): Promise<void> {
  for (let nth = newest; nth > 1; nth--) {
    const origin = originOf(seals.name, nth);
    const named = logBefore(nth === newest ? firstEntry : await firstEntryOf(seals, nth));
    if (!named) {
      problem(`the log ${origin} does not start with a record of the previous log`);
      continue;
    }
    const { origin: before, note } = named;
    // Its files were lost before the next log began.
    if (note === '' && !(await hasFiles(join(seals.dir, String(nth - 1))))) return;
    const text = await readIfThere(join(seals.dir, String(nth - 1), 'checkpoint'));
    const checkpoint = note === '' ? undefined : await signedCheckpoint(seals, nth - 1, text, problem);
    if (before !== originOf(seals.name, nth - 1)) problem(`the log ${origin} names ${before} as the previous log`);
    else if (note !== '' && text?.toString() !== note)
      problem(`the log ${origin} names another checkpoint of ${before} than its files`);
    else if (checkpoint && !(await hasTree(join(seals.dir, String(nth - 1)), checkpoint)))
      problem(`the log ${before} does not have the tree of ${checkpoint.size} records of its checkpoint`);
  }
}

export async function hasFiles(folder: string): Promise<boolean> {
  return (await readIfThere(join(folder, 'state.json'))) !== undefined;
}

export interface EndedLog {
  readonly origin: string;
  /** `root` is hex; undefined if its files were lost. */
  readonly size: number | undefined;
  readonly root: string;
  readonly why: string;
  readonly note: string;
  readonly known: number;
  /** Undefined if its transaction ids are meaningless. */
  readonly snapshot: string | undefined;
}

export function logBefore(firstEntry: Uint8Array | undefined): EndedLog | undefined {
  const opening = firstEntry && readRecord(firstEntry);
  if (opening?.table !== 'origins') return undefined;
  const [, origin, size, root, why, note, known, snapshot] = opening.fields.map((field) =>
    field === String.raw`\N` ? undefined : unescapeField(field),
  );
  if (origin === undefined || note === undefined) return undefined;
  return {
    origin,
    size: size === undefined ? undefined : Number(size),
    root: root ?? '',
    why: why ?? '',
    note,
    known: Number(known ?? 0),
    snapshot,
  };
}

async function firstEntryOf({ dir }: SealsToAudit, nth: number): Promise<Uint8Array | undefined> {
  const folder = join(dir, String(nth));
  const state = await stateOf(folder);
  const tile = state && tileOfTree(state.size, 'entries', 0);
  const bundle = tile && (await tileIfThere(folder, tile));
  return bundle ? parseBundle(bundle)[0] : undefined;
}

export async function hasTree(folder: string, { size, root }: Checkpoint): Promise<boolean> {
  try {
    const readTile: Parameters<typeof readRoot>[0]['readTile'] = async (tile) => {
      const bytes = await tileIfThere(folder, tile);
      if (!bytes) throw new RangeError(`${tilePath(tile)} is missing.`);
      return bytes;
    };
    const reader = {
      size: (await stateOf(folder))?.size ?? size,
      readTile,
    };
    return sameBytes(await readRoot(reader, size), root);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
