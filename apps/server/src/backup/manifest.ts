import { rename } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { writeDurably } from '../db/durable-file.ts';
import { readSmall } from './plain-file.ts';

/** The file that makes a folder a backup: it is written last. */
export const MANIFEST = 'manifest.json';
/** None is nearly as large. */
export const MAX_MANIFEST_BYTES = 1e6;
/** The only form of a backup that there is so far. */
export const FORMAT = 1;

const count = z.number().check(z.int(), z.nonnegative());
const name = z.string().check(z.regex(/^[a-z_]+$/));
const hex = (bytes: number) => z.string().check(z.length(2 * bytes), z.regex(/^[0-9a-f]*$/));
const sha256 = hex(32);
/** A number of a row, as PostgreSQL can hold it. */
const seq = z.string().check(z.regex(/^\d{1,18}$/));
/** In small letters, as PostgreSQL has ids: whatever goes by one of them finds the same. */
const uuid = z.uuid().check(z.lowercase());
/** A signed note, as text that a row of the log can hold. */
const checkpointNote = z.string().check(z.maxLength(10_000), z.regex(/^[^\p{Cc}\p{Cs}\n]*(?:\n[^\p{Cc}\p{Cs}\n]*)*$/u));
const logEnd = z.object({ seq, hash: z.nullable(sha256) });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The newest migration of the database that it was taken of. */
  schema: z.string(),
  /** Which installation that is of. */
  installation: uuid,
  admin: z.object({ id: uuid, username: z.string() }),
  /** Of this century: archives tell no other time. */
  takenAt: z.iso.datetime().check(z.startsWith('20')),
  /** Who asked for it. */
  by: z.string(),
  timeZone: z.string(),
  /** The age recipient that its files are encrypted for; null: they are not. */
  recipient: z.nullable(z.string()),
  /** True if the hashes of passwords and API keys are left out: of an archive that was downloaded and is not encrypted. */
  isWithoutSecrets: z.optional(z.literal(true)),
  /** One for each table, in the order in which they are read again; `bytes` and `sha256` are those of the file on the disk. */
  files: z.array(z.object({ table: name, columns: z.array(name), rows: count, bytes: count, sha256 })),
  /** How many wallets of each kind there are, and what they hold together, in hundredths of a point. */
  wallets: z.array(z.object({ kind: z.string(), wallets: count, balance: z.string().check(z.regex(/^-?\d+$/)) })),
  /** Where the log of the network ended, and that of the root. */
  log: logEnd,
  rootLog: logEnd,
  /** The version of the root's side of the border of the network. */
  borderVersion: z.string().check(z.regex(/^\d+$/)),
  /** The newest checkpoint that the seals of its installation had, a signed note (docs/seals.md); left out where they had none. */
  checkpoint: z.optional(checkpointNote),
  /** Of everything above by the seal key, which `key` is the public half of (sign-manifest.ts); left out where the installation has none. */
  signature: z.optional(z.object({ key: hex(32), value: hex(64) })),
});

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifestSchema>;
/** What it says of one of its files. */
export type ManifestFile = Manifest['files'][number];

/** The name of the file with the rows of a table: what `zstd -d` reads, where it is encrypted after `age -d`. */
export function fileNameOf(table: string, { recipient }: Pick<Manifest, 'recipient'>): string {
  return recipient === null ? `${table}.zst` : `${table}.zst.age`;
}

/** Whether a manifest can have a text as its checkpoint. */
export function isCheckpointNote(text: string): boolean {
  return z.safeParse(checkpointNote, text).success;
}

/** A manifest as its file has it. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** What a manifest's file says. Throws a sentence where it is none. */
export function parseManifest(text: string): Manifest {
  try {
    return z.parse(manifestSchema, JSON.parse(text));
  } catch (error) {
    throw new Error(`${MANIFEST} is not what a backup has: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes the manifest's file in one step: there is none, or a whole one. */
export async function writeManifest(folder: string, text: string): Promise<void> {
  const part = path.join(folder, `${MANIFEST}.part`);
  await writeDurably(part, text);
  await rename(part, path.join(folder, MANIFEST));
}

/** The manifest of a folder; undefined where there is none: then the folder is no whole backup. Throws a sentence where it can't be read. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readSmall(path.join(folder, MANIFEST), MAX_MANIFEST_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${MANIFEST} can't be read: ${(error as Error).message}`, { cause: error });
  }
  return parseManifest(text);
}

/** The same of a folder that is to be a whole backup. Throws a sentence where it has none either. */
export async function requireManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) throw new Error(`${MANIFEST} is missing: the backup was not finished`);
  return manifest;
}

/** How many bytes the files of a backup have on the disk. */
export function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
