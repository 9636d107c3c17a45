import { join } from 'node:path';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { NoteError, parseSignatureLine } from '@drawhouse/tlog/signed-notes';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { LogToRead } from './read-bundle.ts';
import type { SealedTree } from './read-sealed-log.ts';
import { namesIn, readIfThere } from './seal-tiles.ts';

/** A tree of a log that a known witness has cosigned. */
interface WitnessedTree {
  readonly name: string;
  readonly size: number;
  /** When its first cosignature of the log was, as the files tell, and that of the tree, in seconds of Unix time. */
  readonly since: number;
  readonly time: number;
}

/** Reads what known witnesses have cosigned of a log, verifies it, and holds it against the tree of its records. */
export async function readWitnessed(
  log: LogToRead,
  tree: SealedTree,
  witnesses: readonly NoteKey[],
  problem: (text: string) => void,
): Promise<WitnessedTree[]> {
  const folder = join(log.folder, 'witnesses');
  const known = new Map(witnesses.map((key) => [`${key.id}.json`, key]));
  const found: WitnessedTree[] = [];
  const names = await namesIn(folder);
  for (const [file, key] of known)
    if (!names.includes(file))
      problem(`${key.name} is named in SEAL_WITNESSES, and has cosigned nothing of the log ${log.origin}`);
  for (const name of names) {
    const key = known.get(name);
    if (!key) continue;
    try {
      const one = await readOne(join(folder, name), key);
      const { origin, size, root } = parseCheckpoint(one.text);
      if (origin !== log.origin) throw new NoteError(`it is of ${origin}`);
      if (size > log.size) problem(`${key.name} has witnessed ${size} records of ${log.origin}; there are ${log.size}`);
      else if (!sameBytes(await tree.rootAt(size), root))
        problem(`${key.name} has witnessed other records among the first ${size} of ${log.origin}`);
      else found.push({ name: key.name, size, since: Math.min(one.since, one.time), time: one.time });
    } catch (error) {
      if (!(error instanceof NoteError || error instanceof SyntaxError)) throw error;
      problem(`${name} of ${folder} is no cosignature of ${key.name}: ${error.message}`);
    }
  }
  return found;
}

async function readOne(file: string, key: NoteKey): Promise<{ text: string; time: number; since: number }> {
  const kept = JSON.parse((await readIfThere(file))?.toString() ?? '') as Record<string, unknown> | null;
  const { text, line, since } = kept ?? {};
  if (typeof text !== 'string' || typeof line !== 'string')
    throw new NoteError('it has no checkpoint with its signature');
  const verified = await verifySignature(text, parseSignatureLine(line.trimEnd()), key, verifyOnNode);
  if (verified?.time == null) throw new NoteError('its signature is not valid');
  return { text, time: verified.time, since: typeof since === 'number' ? since : verified.time };
}
