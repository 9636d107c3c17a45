import { parseCheckpoint, type Checkpoint } from '@drawhouse/tlog/checkpoints';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyNote, isSignedState } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceDurably } from '../../platform/db/embedded/durable-file.ts';
import { readIfThere } from './seal-files.ts';

export const STATE_FILE = 'state.json';

export interface SealedUpTo {
  readonly size: number;
  readonly root: string;
  /** PostgreSQL snapshot: all rows it shows are sealed. Empty before the first pass. */
  readonly snapshot: string;
}

/** Includes the previous state, since the database may know either. */
export interface SealState extends SealedUpTo {
  readonly previous: SealedUpTo | null;
}

/** Signed by the log key (`signState`). */
export interface SignedState extends SealState {
  readonly signature: string;
}

const hex32 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const upTo = { size: z.int().check(z.nonnegative()), root: hex32, snapshot: z.string() };
const STATE = z.object({ ...upTo, previous: z.nullable(z.object(upTo)), signature: z.string() });

/** Does not verify the signature (`isSignedState` of packages/tlog). */
export async function readState(folder: string): Promise<SignedState | undefined> {
  const file = join(folder, STATE_FILE);
  const text = (await readIfThere(file))?.toString();
  if (text === undefined) return undefined;
  try {
    return STATE.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} does not have the written content.`, { cause: error });
  }
}

/** Durable and atomic. Throws unless the state follows the current one: a delayed sealer may have lost its turn. */
export async function writeState(folder: string, state: SignedState): Promise<void> {
  const { previous } = state;
  const mayStill = previous ? (): Promise<void> => requireState(folder, previous) : undefined;
  await replaceShared(join(folder, STATE_FILE), JSON.stringify(state), mayStill);
}

/** Throws if another server has sealed here. Runs every pass, so it skips signatures. */
export async function requireState(folder: string, { size, root }: Pick<SealedUpTo, 'size' | 'root'>): Promise<void> {
  const stored = await readState(folder);
  if (stored ? stored.size !== size || stored.root !== root : size > 0)
    throw new Error(`Another process is sealing in ${folder}.`);
}

/** Other servers or threads may write the file too. See {@link replaceDurably} for `mayStill`. */
export async function replaceShared(file: string, text: string, mayStill?: () => Promise<void>): Promise<void> {
  await replaceDurably(file, text, { temporary: `${file}.${randomUUID()}`, mayStill });
}

export async function requireSigned(folder: string, state: SignedState, key: NoteKey): Promise<void> {
  if (await isSignedState(state, state.signature, key, verifyOnNode)) return;
  throw new Error(
    `The size of the log in ${folder} was changed in state.json: it is not signed by the key ${key.name}. ` +
      'Put the original file back, or set the original seal key and name.',
  );
}

export async function checkpointOf(text: string | undefined, key: NoteKey): Promise<Checkpoint | undefined> {
  if (text === undefined) return undefined;
  return verifyCheckpoint(text, key).catch((error: unknown) => {
    if (error instanceof NoteError) return undefined;
    throw error;
  });
}

export async function verifyCheckpoint(note: Uint8Array | string, key: NoteKey): Promise<Checkpoint> {
  const parsed = parseNote(note);
  await verifyNote(parsed, [key], verifyOnNode);
  const checkpoint = parseCheckpoint(parsed.text);
  if (checkpoint.origin !== key.name) throw new NoteError(`It belongs to ${checkpoint.origin}.`);
  return checkpoint;
}
