import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyNote } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { isSignedState } from '@drawhouse/tlog/signed-states';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceDurably } from '../db/durable-file.ts';
import { readIfThere } from './seal-files.ts';

const STATE_FILE = 'state.json';

/** How far a log has come. */
export interface SealedUpTo {
  /** So many records. */
  readonly size: number;
  /** The root of the tree of that size, in hex. */
  readonly root: string;
  /** A snapshot of PostgreSQL in its text form: all that it shows is sealed. Empty before the first look. */
  readonly snapshot: string;
}

/** What is kept beside the files of a log: how far it has come, and had come before that, since the database may know of the one or the other. */
export interface SealState extends SealedUpTo {
  readonly previous: SealedUpTo | null;
}

/** The same with the signature of the log's key, a line (`signState`). */
export interface KeptState extends SealState {
  readonly signature: string;
}

const hex32 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const upTo = { size: z.int().check(z.nonnegative()), root: hex32, snapshot: z.string() };
const STATE = z.object({ ...upTo, previous: z.nullable(z.object(upTo)), signature: z.string() });

/** The state of a log in its folder, with its signature, which is not verified (`signed-state.ts`); undefined where there is none. Throws a sentence where the file holds no such state. */
export async function readState(folder: string): Promise<KeptState | undefined> {
  const file = join(folder, STATE_FILE);
  const text = (await readIfThere(file))?.toString();
  if (text === undefined) return undefined;
  try {
    return STATE.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is not what was written there.`, { cause: error });
  }
}

/**
 * Writes the state of a log, and waits until the disk has it: either the one before or this one is there, whatever happens. Throws where what is there is not the one that it
 * goes on from: whoever was held up for long may have lost its turn.
 */
export async function writeState(folder: string, state: KeptState): Promise<void> {
  const { previous } = state;
  const mayStill = previous ? (): Promise<void> => requireState(folder, previous) : undefined;
  await replaceShared(join(folder, STATE_FILE), JSON.stringify(state), mayStill);
}

/** Throws where a log has come to another state than this one, as somebody else has sealed in its folder. One that was never sealed has no file yet. It is asked with each look, and verifies no signature. */
export async function requireState(folder: string, { size, root }: Pick<SealedUpTo, 'size' | 'root'>): Promise<void> {
  const kept = await readState(folder);
  if (kept ? kept.size !== size || kept.root !== root : size > 0) throw new Error(`Somebody else seals in ${folder}.`);
}

/** Puts a text in the place of a file's that another server, or another thread, may write at the same time, and waits until the disk has it. For `mayStill` see {@link replaceDurably}. */
export async function replaceShared(file: string, text: string, mayStill?: () => Promise<void>): Promise<void> {
  await replaceDurably(file, text, { beside: `${file}.${randomUUID()}`, mayStill });
}

/** Throws a sentence where the key of a log has not signed the state in its folder. */
export async function requireSigned(folder: string, state: KeptState, key: NoteKey): Promise<void> {
  if (await isSignedState(state, state.signature, key, verifyOnNode)) return;
  throw new Error(
    `How far the log in ${folder} has come was changed in state.json: the key of ${key.name} has not signed it. Put back the file that was there; or the key and the name of the seals are not those that they began with.`,
  );
}

/** The checkpoint of a log that its key has signed; undefined where a text is none. */
export async function checkpointOf(text: string | undefined, key: NoteKey): Promise<Checkpoint | undefined> {
  if (text === undefined) return undefined;
  return verifyCheckpoint(text, key).catch((error: unknown) => {
    if (error instanceof NoteError) return undefined;
    throw error;
  });
}

/** The checkpoint of a note. Throws NoteError if the key of the log has not signed it, or it is of another log. */
export async function verifyCheckpoint(note: Uint8Array | string, key: NoteKey): Promise<Checkpoint> {
  const parsed = parseNote(note);
  await verifyNote(parsed, [key], verifyOnNode);
  const checkpoint = parseCheckpoint(parsed.text);
  if (checkpoint.origin !== key.name) throw new NoteError(`It is of ${checkpoint.origin}.`);
  return checkpoint;
}
