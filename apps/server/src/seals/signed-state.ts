import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyNote } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { hasStatesMark } from '@drawhouse/tlog/on-node-states';
import { isSignedState } from '@drawhouse/tlog/signed-states';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';
import { readRoot } from '@drawhouse/tlog/tree-reader';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { KeptState } from './seal-state.ts';
import { VerifiedTiles } from './verified-tiles.ts';

/** A log as its files are, none of which can be believed by itself. */
export interface FilesOfLog {
  readonly folder: string;
  readonly state: KeptState;
  /** The text of its checkpoint's file; undefined where there is none. */
  readonly checkpoint: string | undefined;
  /** By which both are verified. */
  readonly key: NoteKey;
}

/**
 * Who has said how far a log has come: its `key`, or an earlier `version`, which did not sign it. Whoever can write to the folder must not get such a state taken once the key has signed
 * one: so it is only where the log does not say that its states are signed, and goes on with the tree of a checkpoint that the key has signed. Throws a sentence where it
 * was none of both. Of a log of an earlier version it reads all hashes, once.
 */
export async function whoSaid(log: FilesOfLog): Promise<'key' | 'version'> {
  const { folder, state, key } = log;
  if (state.signature !== undefined) {
    if (await isSignedState(state, state.signature, key, verifyOnNode)) return 'key';
    throw new Error(
      `How far the log in ${folder} has come was changed in state.json: the key of ${key.name} has not signed it. Put back the file that was there; or the key and the name of the seals are not those that they began with.`,
    );
  }
  const why = await whyNotEarlier(log);
  if (why === undefined) return 'version';
  throw new Error(
    `state.json in ${folder} is not signed, ${why}. Put back the file that was there; where it is lost for good, begin a new log: npm run seals -- begin`,
  );
}

/** Why a state without a signature can't be one of an earlier version, as a part of a sentence. */
async function whyNotEarlier({ folder, state, checkpoint: note, key }: FilesOfLog): Promise<string | undefined> {
  const checkpoint = await checkpointOf(note, key);
  if (!checkpoint) return `and the key of ${key.name} has signed no checkpoint of it`;
  const tiles = await VerifiedTiles.open({ folder, ...state });
  if (!tiles) return 'and its hashes are not whole';
  for (let index = 0; index * TILE_WIDTH < state.size; index++) {
    const nodes = await tiles.tile(0, index);
    if (!nodes) return 'and its hashes are not whole';
    if (hasStatesMark(nodes)) return 'and its log says that its states are';
  }
  return (await hasTreeOf(tiles, checkpoint))
    ? undefined
    : 'and its tree does not go on with the one of its checkpoint';
}

async function hasTreeOf(tiles: VerifiedTiles, { size, root }: Checkpoint): Promise<boolean> {
  if (size > tiles.size) return false;
  const readTile: Parameters<typeof readRoot>[0]['readTile'] = async ({ level, index }) =>
    (await tiles.tile(Number(level), index)) ?? new Uint8Array(0);
  return sameBytes(await readRoot({ size: tiles.size, readTile, hashes: nodeHashes }, size), root);
}

/** The checkpoint of a log that its key has signed; undefined where a text is none. */
export async function checkpointOf(text: string | undefined, key: NoteKey): Promise<Checkpoint | undefined> {
  if (text === undefined) return undefined;
  try {
    const note = parseNote(text);
    await verifyNote(note, [key], verifyOnNode);
    const checkpoint = parseCheckpoint(note.text);
    return checkpoint.origin === key.name ? checkpoint : undefined;
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
