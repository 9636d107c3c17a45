import { rename } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { writeDurably } from '../../../platform/db/embedded/durable-file.ts';
import { readSmall } from './plain-file.ts';
import { walletKindOf } from '@drawhouse/rules/records/ledger-kinds';
import type { Copier } from '../../../platform/db/sql/copy-rows.ts';
import { sql } from '../../../platform/db/sql/sql.ts';
import { DAMAGE } from '../../backup-texts.ts';

/** Written last, so its presence marks a complete backup. */
export const MANIFEST = 'manifest.json';
export const MAX_MANIFEST_BYTES = 1e6;
export const FORMAT = 1;

const count = z.number().check(z.int(), z.nonnegative());
const name = z.string().check(z.regex(/^[a-z_]+$/));
const hex = (bytes: number) => z.string().check(z.length(2 * bytes), z.regex(/^[0-9a-f]*$/));
const sha256 = hex(32);
const seq = z.string().check(z.regex(/^\d{1,18}$/));
/** Lower case like PostgreSQL's, so string comparisons match. */
const uuid = z.uuid().check(z.lowercase());
/** A signed note without characters that a log row rejects. */
const checkpointNote = z.string().check(z.maxLength(10_000), z.regex(/^[^\p{Cc}\p{Cs}\n]*(?:\n[^\p{Cc}\p{Cs}\n]*)*$/u));
const logEnd = z.object({ seq, hash: z.nullable(sha256) });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  schema: z.string(),
  installation: uuid,
  admin: z.object({ id: uuid, username: z.string() }),
  /** Zip timestamps cannot express other centuries. */
  takenAt: z.iso.datetime().check(z.startsWith('20')),
  by: z.string(),
  timeZone: z.string(),
  /** age recipient. Null: unencrypted. */
  recipient: z.nullable(z.string()),
  /** Unencrypted downloads lack password and API key hashes. */
  isWithoutSecrets: z.optional(z.literal(true)),
  /** In load order. `bytes` and `sha256` describe the file on disk. */
  files: z.array(z.object({ table: name, columns: z.array(name), rows: count, bytes: count, sha256 })),
  wallets: z.array(z.object({ kind: z.string(), wallets: count, balance: z.string().check(z.regex(/^-?\d+$/)) })),
  log: logEnd,
  rootLog: logEnd,
  borderVersion: z.string().check(z.regex(/^\d+$/)),
  /** A signed note (docs/seals.md). Absent without seals. */
  checkpoint: z.optional(checkpointNote),
  signature: z.optional(z.object({ key: hex(32), value: hex(64) })),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestFile = Manifest['files'][number];

export function fileNameOf(table: string, { recipient }: Pick<Manifest, 'recipient'>): string {
  return recipient === null ? `${table}.zst` : `${table}.zst.age`;
}

export function isCheckpointNote(text: string): boolean {
  return z.safeParse(checkpointNote, text).success;
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

export function parseManifest(text: string): Manifest {
  try {
    return z.parse(manifestSchema, JSON.parse(text));
  } catch (error) {
    throw new Error(DAMAGE.notManifest(MANIFEST, (error as Error).message), { cause: error });
  }
}

export async function writeManifest(folder: string, text: string): Promise<void> {
  const part = path.join(folder, `${MANIFEST}.part`);
  await writeDurably(part, text);
  await rename(part, path.join(folder, MANIFEST));
}

export async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readSmall(path.join(folder, MANIFEST), MAX_MANIFEST_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(DAMAGE.manifestUnreadable(MANIFEST, (error as Error).message), { cause: error });
  }
  return parseManifest(text);
}

export async function requireManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) throw new Error(DAMAGE.manifestMissing(MANIFEST));
  return manifest;
}

export function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Callers see the message. */
export class BackupDamaged extends Error {}

export async function walletSums(on: Pick<Copier, 'query'>, networkId: number): Promise<Manifest['wallets']> {
  const found = await on.query<{ kind: number; wallets: number; balance: string }>(
    sql`select kind, count(*)::int as wallets, sum(balance)::text as balance from wallets where network_id = ${networkId}
      group by kind order by kind`,
  );
  return found.map(({ kind, ...sums }) => ({ kind: walletKindOf(kind), ...sums }));
}

export async function requireWallets(
  on: Pick<Copier, 'query'>,
  networkId: number,
  { wallets: told }: Pick<Manifest, 'wallets'>,
): Promise<void> {
  const textOf = (sums: Manifest['wallets']): string =>
    sums
      .map(({ kind, wallets, balance }) => `${kind}: ${wallets} with ${balance}`)
      .toSorted()
      .join();
  if (textOf(await walletSums(on, networkId)) !== textOf(told)) throw new BackupDamaged(DAMAGE.otherWallets);
}
