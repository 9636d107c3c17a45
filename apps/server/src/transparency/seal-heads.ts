import { originOf } from '@drawhouse/tlog/log-origins';
import { join } from 'node:path';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import { parseBundle } from '@drawhouse/tlog/entry-bundles';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { readRecord, unescaped } from '@drawhouse/tlog/on-node-records';
import { isSignedState } from '@drawhouse/tlog/signed-states';
import type { LogState } from '@drawhouse/tlog/signed-states';
import { NoteError } from '@drawhouse/tlog/signed-notes';
import { tileOfTree, tilePath } from '@drawhouse/tlog/tile-paths';
import { readRoot } from '@drawhouse/tlog/tree-reader';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { LogToRead } from './read-bundle.ts';
import { readIfThere, tileIfThere } from './seal-files.ts';
import { logsIn } from './seal-log.ts';
import { readState, verifyCheckpoint } from './seal-state.ts';
import type { KeptState } from './seal-state.ts';

/** Where the seals of an installation lie, and by what they are verified. */
export interface SealsToAudit {
  readonly dir: string;
  /** The name of its logs, which are `<name>/seals/<n>`. */
  readonly name: string;
  /** The key that signs them, 32 bytes of Ed25519. */
  readonly publicKey: Uint8Array;
  /** The keys of witnesses that are known. */
  readonly witnesses: readonly NoteKey[];
}

/** How far the newest log has come. */
export interface LogHead {
  readonly nth: number;
  readonly log: LogToRead;
  /** A snapshot of PostgreSQL in its text form: all that it shows is sealed. */
  readonly snapshot: string;
  /** What its tree has to come to. */
  readonly roots: readonly { readonly what: string; readonly size: number; readonly root: Uint8Array }[];
  /**
   * The problem of a first state without a checkpoint, which is signed a moment later. A server that was killed in between has not told the database of
   * the state; if the database knows of it, somebody has removed the checkpoint.
   */
  readonly missingCheckpoint: string | undefined;
}

/**
 * Reads how far the newest log has come: its checkpoint first, which is never newer than the state that is read behind it. Undefined if there is no log, or
 * the first one has begun and sealed nothing yet.
 */
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
    problem(`${folder} has no state.json that tells how far its log has come`);
    return undefined;
  }
  const { size, root, snapshot, signature } = state;
  const origin = originOf(seals.name, nth);
  if (!(await isSignedState(state, signature, keyOf(seals, nth), verifyOnNode)))
    problem(
      `how far the log ${origin} has come was changed in ${folder}/state.json: the key of the seals has not signed it`,
    );
  return {
    nth,
    log: { folder, origin, size },
    snapshot,
    roots: [
      { what: 'the root that was sealed', size, root: Buffer.from(root, 'hex') },
      ...(checkpoint ? [{ what: 'the root of the checkpoint', size: checkpoint.size, root: checkpoint.root }] : []),
    ],
    missingCheckpoint: isFirst ? notSigned(origin, MISSING) : undefined,
  };
}

/** Reads the checkpoint of a log and then its state. A server that seals for the first time writes them the other way round, so both are read again if only the state is there. */
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
  return `the checkpoint of the log ${origin} is none that was signed: ${why}`;
}

/** How far the n-th log has come by now; undefined where the key of the seals has not signed that. */
export async function signedStateOf(seals: SealsToAudit, nth: number): Promise<LogState | undefined> {
  const state = await stateOf(join(seals.dir, String(nth)));
  return state && (await isSignedState(state, state.signature, keyOf(seals, nth), verifyOnNode)) ? state : undefined;
}

/** How far a log has come, with the signature, which is not verified; undefined if its file is missing or damaged. */
async function stateOf(folder: string): Promise<KeptState | undefined> {
  return readState(folder).catch(() => undefined);
}

/** The checkpoint of a log, if its key has signed it; else that is a problem. */
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

/** The key of the n-th log. */
export function keyOf({ name, publicKey }: SealsToAudit, nth: number): NoteKey {
  return noteKey(originOf(name, nth), SIGNATURE_TYPES.ed25519, publicKey);
}

/**
 * Checks that each log but the first begins with a record that names the last checkpoint of the one before it, and that this one has such a tree. `firstEntry`
 * is the first record of the newest log.
 */
export async function chainOfLogs(
  seals: SealsToAudit,
  { nth: newest }: LogHead,
  firstEntry: Uint8Array | undefined,
  problem: (text: string) => void,
): Promise<void> {
  for (let nth = newest; nth > 1; nth--) {
    const origin = originOf(seals.name, nth);
    const named = logBefore(nth === newest ? firstEntry : await firstEntryOf(seals, nth));
    if (!named) {
      problem(`the log ${origin} does not begin with a record of the log before it`);
      continue;
    }
    const { origin: before, note } = named;
    // Its files were gone when the next one began, and with them what it named itself.
    if (note === '' && !(await hasFiles(join(seals.dir, String(nth - 1))))) return;
    const kept = await readIfThere(join(seals.dir, String(nth - 1), 'checkpoint'));
    const checkpoint = note === '' ? undefined : await signedCheckpoint(seals, nth - 1, kept, problem);
    if (before !== originOf(seals.name, nth - 1)) problem(`the log ${origin} names ${before} as the one before it`);
    else if (note !== '' && kept?.toString() !== note)
      problem(`the log ${origin} names another checkpoint of ${before} than its files have`);
    else if (checkpoint && !(await hasTree(join(seals.dir, String(nth - 1)), checkpoint)))
      problem(`the log ${before} has not the tree of ${checkpoint.size} records that its checkpoint says`);
  }
}

/** Whether a folder has a log. */
export async function hasFiles(folder: string): Promise<boolean> {
  return (await readIfThere(join(folder, 'state.json'))) !== undefined;
}

/** A log that was ended, as the one after it names it. */
export interface EndedLog {
  readonly origin: string;
  /** How many records it had, and the root of its tree, in hex; undefined where its files were gone. */
  readonly size: number | undefined;
  readonly root: string;
  readonly why: string;
  /** Its last checkpoint; empty where it had none. */
  readonly note: string;
  /** So many of its records the database had; 0 where that is not known. */
  readonly known: number;
  /** What the database had seen sealed, as a snapshot of PostgreSQL; undefined where that tells nothing of its transactions. */
  readonly snapshot: string | undefined;
}

/** The log that is named by the first record of the one after it; undefined where that names none. */
export function logBefore(firstEntry: Uint8Array | undefined): EndedLog | undefined {
  const told = firstEntry && readRecord(firstEntry);
  if (told?.table !== 'origins') return undefined;
  const [, origin, size, root, why, note, known, snapshot] = told.fields.map((field) =>
    field === String.raw`\N` ? undefined : unescaped(field),
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

/** Whether a log has the tree of a checkpoint. */
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
