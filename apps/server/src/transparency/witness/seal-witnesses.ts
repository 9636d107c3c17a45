import { join } from 'node:path';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { NoteError, parseSignatureLine } from '@drawhouse/tlog/signed-notes';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { LogToRead } from '../read/read-bundle.ts';
import type { SealedTree } from '../read/read-sealed-log.ts';
import { namesIn, readIfThere } from '../seal/seal-files.ts';

interface WitnessedTree {
  readonly name: string;
  readonly size: number;
  /** Unix seconds, as signed. */
  readonly since: number;
}

export async function readWitnessed(
  log: LogToRead,
  tree: SealedTree,
  witnesses: readonly NoteKey[],
  problem: (text: string) => void,
): Promise<WitnessedTree[]> {
  const folder = join(log.folder, 'witnesses');
  const keys = new Map(witnesses.map((key) => [`${key.id}.json`, key]));
  const found: WitnessedTree[] = [];
  const names = await namesIn(folder);
  for (const [file, key] of keys)
    if (!names.includes(file))
      problem(`${key.name} is listed in SEAL_WITNESSES, but has co-signed nothing of the log ${log.origin}`);
  for (const name of names) {
    const key = keys.get(name);
    if (!key) continue;
    try {
      const { first, last } = await readOne(join(folder, name), key);
      const isSealed = async ({ text }: Cosignature, what: string): Promise<boolean> => {
        const { origin, size, root } = parseCheckpoint(text);
        if (origin !== log.origin) throw new NoteError(`${what} belongs to ${origin}`);
        if (size > log.size)
          problem(`${key.name} has witnessed ${size} records of ${log.origin}, but there are only ${log.size}`);
        else if (!sameBytes(await tree.rootAt(size), root))
          problem(`${key.name} has witnessed different records among the first ${size} of ${log.origin}`);
        else return true;
        return false;
      };
      if ((await isSealed(last, 'it')) && (first === last || (await isSealed(first, 'its first one'))))
        found.push({ name: key.name, size: parseCheckpoint(last.text).size, since: Math.min(first.time, last.time) });
    } catch (error) {
      if (!(error instanceof NoteError || error instanceof SyntaxError)) throw error;
      problem(`${name} of ${folder} is not a valid co-signature of ${key.name}: ${error.message}`);
    }
  }
  return found;
}

type Cosignature = { readonly text: string; readonly time: number };

/** Both are one object if only one is stored. */
async function readOne(file: string, key: NoteKey): Promise<{ first: Cosignature; last: Cosignature }> {
  const stored = JSON.parse((await readIfThere(file))?.toString() ?? '') as Record<string, unknown> | null;
  const last = await verified(stored, 'it', key);
  const first = stored?.['first'];
  return { last, first: first === undefined ? last : await verified(first, 'its first one', key) };
}

async function verified(stored: unknown, what: string, key: NoteKey): Promise<Cosignature> {
  const { text, line } = (stored ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string' || typeof line !== 'string')
    throw new NoteError(`${what} has no checkpoint with a signature`);
  const signed = await verifySignature(text, parseSignatureLine(line.trimEnd()), key, verifyOnNode);
  if (signed?.time == null) throw new NoteError(`the signature of ${what} is not valid`);
  return { text, time: signed.time };
}
