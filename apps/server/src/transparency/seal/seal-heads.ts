import { originOf, type Checkpoint } from '@drawhouse/tlog/checkpoints';
import { join } from 'node:path';
import { tilePath } from '@drawhouse/tlog/tiles';
import { noteKey, SIGNATURE_TYPES, type NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { isSignedState } from '@drawhouse/tlog/note-signatures';
import { NoteError } from '@drawhouse/tlog/signed-notes';
import { readRoot } from '@drawhouse/tlog/tree-reader';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import { readableTile, type LogToRead } from '../read/read-bundle.ts';
import type { IfUnreadable } from './seal-files.ts';
import { readFile } from 'node:fs/promises';
import { logsIn, newestBegunLog } from './seal-log.ts';
import { NOTHING, type Progress } from './seal-progress.ts';
import { readState, STATE_FILE, verifyCheckpoint, type SignedState } from './seal-state.ts';

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
  /** The database has at least these records. */
  readonly previousSize: number;
  readonly roots: readonly { readonly what: string; readonly size: number; readonly root: Uint8Array }[];
  /**
   * Problem of a first state without checkpoint, which normally follows within moments. If the database knows the
   * state, someone removed the checkpoint.
   */
  readonly missingCheckpoint: string | undefined;
}

/** Reads the checkpoint before the state, so it is never newer. Undefined before the first seal. */
export async function headOfLogs(
  seals: SealsToAudit,
  known: readonly Progress[],
  problem: (text: string) => void,
  ifUnreadable: IfUnreadable,
): Promise<LogHead | undefined> {
  const nth = await newestBegunLog(seals.dir, known);
  const newest = (await logsIn(seals.dir)).at(-1) ?? 1;
  if (newest > (nth ?? 1)) problem(`the log ${newest} was started, but nothing was sealed in it`);
  if (nth === undefined) return undefined;
  const folder = join(seals.dir, String(nth));
  const note = await readNote(folder, ifUnreadable);
  const state = await stateOf(folder, ifUnreadable);
  const isFirst = nth === 1 && !note && state?.previous?.size === 0;
  const checkpoint = isFirst ? undefined : await signedCheckpoint(seals, nth, note, problem);
  const origin = originOf(seals.name, nth);
  const signed = checkpoint
    ? [{ what: 'the root of the checkpoint', size: checkpoint.size, root: checkpoint.root }]
    : [];
  if (!state) {
    problem(`${folder} has no state.json, so the size of its log is unknown`);
    const size = checkpoint?.size ?? Number(known.find((one) => one.origin === nth)?.size ?? 0n);
    if (size === 0) return undefined;
    // Records after these may be lost, so rows without one count as waiting.
    const log = { folder, origin, size, ifUnreadable };
    return { nth, log, snapshot: NOTHING, previousSize: 0, roots: signed, missingCheckpoint: undefined };
  }
  const { size, root, snapshot, signature } = state;
  if (!(await isSignedState(state, signature, keyOf(seals, nth), verifyOnNode)))
    problem(`the size of the log ${origin} was changed in ${folder}/state.json: it is not signed by the seal key`);
  return {
    nth,
    log: { folder, origin, size, ifUnreadable },
    snapshot,
    previousSize: state.previous?.size ?? 0,
    roots: [{ what: 'the sealed root', size, root: Buffer.from(root, 'hex') }, ...signed],
    missingCheckpoint: isFirst ? notSigned(origin, MISSING) : undefined,
  };
}

/** The first seal writes the state first, so a missing checkpoint is read again after the state. */
async function readNote(folder: string, ifUnreadable: IfUnreadable): Promise<Buffer | undefined> {
  const file = join(folder, 'checkpoint');
  const read = (): Promise<Buffer | undefined> => readFile(file).catch(ifUnreadable(undefined, file));
  return (await read()) ?? ((await hasFiles(folder, ifUnreadable)) ? read() : undefined);
}

const MISSING = 'It is missing.';

function notSigned(origin: string, why: string): string {
  return `the checkpoint of the log ${origin} is not validly signed: ${why}`;
}

async function stateOf(folder: string, ifUnreadable: IfUnreadable): Promise<SignedState | undefined> {
  return readState(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === undefined ? undefined : ifUnreadable(undefined, join(folder, STATE_FILE))(error),
  );
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

export async function hasFiles(folder: string, ifUnreadable: IfUnreadable): Promise<boolean> {
  const file = join(folder, STATE_FILE);
  return readFile(file).then(() => true, ifUnreadable(false, file));
}

export async function hasTree(
  folder: string,
  { size, root }: Checkpoint,
  ifUnreadable: IfUnreadable,
): Promise<boolean> {
  try {
    const readTile: Parameters<typeof readRoot>[0]['readTile'] = async (tile) => {
      const bytes = readableTile({ folder, ifUnreadable }, tile);
      if (!bytes) throw new RangeError(`${tilePath(tile)} is missing or unreadable.`);
      return bytes;
    };
    const reader = {
      size: (await stateOf(folder, ifUnreadable))?.size ?? size,
      readTile,
    };
    return sameBytes(await readRoot(reader, size), root);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
