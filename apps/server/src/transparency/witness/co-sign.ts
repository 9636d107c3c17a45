import { createSemaphore } from '../../platform/time/semaphore.ts';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import {
  formatNote,
  formatSignatureLine,
  NoteError,
  parseNote,
  parseSignatureLine,
  type NoteSignature,
  type SignedNote,
} from '@drawhouse/tlog/signed-notes';
import { readRoot } from '@drawhouse/tlog/tree-reader';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import * as z from 'zod/mini';
import { OWN_FOLDER } from '../../platform/db/embedded/durable-file.ts';
import type { Witness } from '../../config/outside-services.ts';
import { readTile } from '../seal/seal-files.ts';
import { replaceShared } from '../seal/seal-state.ts';
import { SEAL_TEXTS } from '../transparency-texts.ts';

export interface Cosigned {
  readonly name: string;
  readonly keyId: string;
  readonly size: number;
  /** Unix seconds. `since` is the first cosignature kept for this log. */
  readonly time: number;
  readonly since: number;
  readonly text: string;
  readonly line: string;
}

const COSIGNED = z.object({
  name: z.string(),
  keyId: z.string(),
  size: z.int(),
  time: z.int(),
  text: z.string(),
  line: z.string(),
  first: z.object({ text: z.string(), line: z.string() }),
});

type StoredCosignature = z.infer<typeof COSIGNED>;

function fileOf(folder: string, keyId: string): string {
  return join(folder, 'witnesses', `${keyId}.json`);
}

export async function readCosigned(folder: string, witnesses: readonly Witness[]): Promise<Cosigned[]> {
  const found = await Promise.all(
    witnesses.map(async ({ key }) => {
      const stored = await readPersisted(folder, key.id);
      if (!stored || (await timeSigned(stored, key)) !== stored.time) return [];
      const { first, ...last } = stored;
      const since = originIn(first.text) === originIn(last.text) ? await timeSigned(first, key) : null;
      return [{ ...last, since: since ?? last.time }];
    }),
  );
  return found.flat();
}

/** Unreadable counts as missing; the witness will return. */
async function readPersisted(folder: string, keyId: string): Promise<StoredCosignature | undefined> {
  return readFile(fileOf(folder, keyId), 'utf8').then(
    (text) => COSIGNED.parse(JSON.parse(text)),
    () => undefined,
  );
}

async function timeSigned({ text, line }: { text: string; line: string }, key: Witness['key']): Promise<number | null> {
  const verified = await verifySignature(text, parseSignatureLine(line.trimEnd()), key, verifyOnNode).catch(() => null);
  return verified?.time ?? null;
}

function originIn(text: string): string {
  return text.slice(0, text.indexOf('\n'));
}

export class CosignatureRefused extends Error {
  override readonly name = 'CosignatureRefused';
  /** `unknown`: no known witness; `other`: not a tree of this log; `malformed`: not a cosigned checkpoint. */
  readonly why: 'unknown' | 'other' | 'malformed';

  constructor(why: CosignatureRefused['why'], message: string) {
    super(message);
    this.why = why;
  }
}

export interface LogFiles {
  readonly folder: string;
  readonly origin: string;
  readonly key: Witness['key'];
  readonly size: number;
}

/** Verifies signatures and tree. Keeps each witness's largest tree. Returns the number accepted. */
export async function coSign(log: LogFiles, witnesses: readonly Witness[], body: Uint8Array | string): Promise<number> {
  const note = malformedElse(() => parseNote(body));
  const checkpoint = malformedElse(() => parseCheckpoint(note.text));
  if (checkpoint.origin !== log.origin || checkpoint.size > log.size)
    throw new CosignatureRefused('other', SEAL_TEXTS.otherLog(log.origin, log.size));
  await requireOwn(note, log.key);
  const valid = await validCosignatures(note, witnesses);
  if (valid.length === 0) throw new CosignatureRefused('unknown', SEAL_TEXTS.noWitness);
  const reader = { size: log.size, readTile: readTile.bind(null, log.folder) };
  if (!sameBytes(await readRoot(reader, checkpoint.size), checkpoint.root))
    throw new CosignatureRefused('other', SEAL_TEXTS.otherRoot(checkpoint.size));
  for (const { key, time, signature } of valid) {
    const line = formatSignatureLine(signature);
    const next = { name: key.name, keyId: key.id, size: checkpoint.size, time, text: note.text, line };
    await inTurn(() => keep(log.folder, next));
  }
  return valid.length;
}

async function requireOwn({ text, signatures }: SignedNote, key: Witness['key']): Promise<void> {
  const own = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
  if (!own || !(await verifySignature(text, own, key, verifyOnNode)))
    throw new CosignatureRefused('other', SEAL_TEXTS.notSigned);
}

async function validCosignatures(
  { text, signatures }: SignedNote,
  witnesses: readonly Witness[],
): Promise<{ key: Witness['key']; time: number; signature: NoteSignature }[]> {
  const valid: { key: Witness['key']; time: number; signature: NoteSignature }[] = [];
  for (const { key } of witnesses) {
    const signature = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
    const time = signature && (await verifySignature(text, signature, key, verifyOnNode))?.time;
    if (signature && time != null) valid.push({ key, time, signature });
  }
  return valid;
}

function malformedElse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoteError) throw new CosignatureRefused('malformed', error.message);
    throw error;
  }
}

/** Concurrent writes could revert to a smaller tree. */
const inTurn = createSemaphore(1).run;

async function keep(folder: string, next: Omit<StoredCosignature, 'first'>): Promise<void> {
  const before = await readPersisted(folder, next.keyId);
  if (before && (before.size > next.size || (before.size === next.size && before.time >= next.time))) return;
  await mkdir(join(folder, 'witnesses'), { recursive: true, mode: OWN_FOLDER });
  const { text, line } = before?.first ?? next;
  const stored = { ...next, first: { text, line } } satisfies StoredCosignature;
  await replaceShared(fileOf(folder, next.keyId), JSON.stringify(stored));
}

export function withCosignatures(note: string, cosigned: readonly Cosigned[]): string {
  const { text, signatures } = parseNote(note);
  const lines = cosigned.filter((one) => one.text === text).map(({ line }) => parseSignatureLine(line.trimEnd()));
  return formatNote({ text, signatures: [...signatures, ...lines] });
}
