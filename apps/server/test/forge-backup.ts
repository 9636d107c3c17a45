import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MANIFEST, manifestText, requireManifest } from '../src/backup/manifest.ts';
import type { Manifest } from '../src/backup/manifest.ts';

/** Changes what the manifest of a backup says; gives what it says then. */
export async function forgeManifest(folder: string, change: (of: Manifest) => object): Promise<Manifest> {
  const forged = change(await requireManifest(folder)) as Manifest;
  await writeFile(path.join(folder, MANIFEST), manifestText(forged));
  return forged;
}

/** Changes the rows of a table in a backup, in PostgreSQL's text format, and writes the manifest so that it fits; gives what that says then. */
export async function forgeRows(folder: string, table: string, change: (rows: string) => string): Promise<Manifest> {
  const name = path.join(folder, `${table}.zst`);
  const changed = change(zstdDecompressSync(await readFile(name)).toString());
  const content = zstdCompressSync(changed);
  await writeFile(name, content);
  const sums = {
    rows: changed.split('\n').length - 1,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
  return forgeManifest(folder, (of) => ({
    ...of,
    files: of.files.map((file) => (file.table === table ? { ...file, ...sums } : file)),
  }));
}

/** The rows of a table in a backup by their columns. */
async function rowsIn(folder: string, table: string): Promise<Record<string, string>[]> {
  const { files } = await requireManifest(folder);
  const { columns } = files.find((file) => file.table === table)!;
  const text = zstdDecompressSync(await readFile(path.join(folder, `${table}.zst`))).toString();
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(columns.map((name, nth) => [name, values[nth]!]));
  });
}

/** Rows as PostgreSQL's text format has them; the columns stand in the order of the first one's. */
function asText(rows: readonly Readonly<Record<string, string>>[]): string {
  return rows.map((row) => `${Object.values(row).join('\t')}\n`).join('');
}

/** Changes the rows of a table in a backup by their columns. */
export async function forge(
  folder: string,
  table: string,
  change: (rows: Record<string, string>[]) => Record<string, string>[],
): Promise<Manifest> {
  const rows = change(await rowsIn(folder, table));
  return forgeRows(folder, table, () => asText(rows));
}
