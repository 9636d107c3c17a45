import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { columnsByTable } from '../src/backup/backup-tables.ts';
import { encryptFor, requireOpener } from '../src/backup/encryption.ts';
import { signManifest } from '../src/backup/sign-manifest.ts';
import { TEST_SEAL_KEY } from './test-seal-key.ts';
import { fileNameOf, manifestText, MANIFEST, requireManifest } from '../src/backup/manifest.ts';
import type { Manifest } from '../src/backup/manifest.ts';
import { copierOn } from '../src/db/copy-snapshot.ts';
import { MIGRATIONS, migrateTo } from '../src/db/migrate.ts';
import { withOwnConnections } from '../src/db/own-connections.ts';
import { withScratchDatabase } from '../src/db/scratch-database.ts';

/** A row of a file of a backup, by its columns, as PostgreSQL writes them. */
type Line = Readonly<Record<string, string>>;

/** What a table of today and its rows were at an earlier schema, where they were something else. */
export interface Earlier {
  readonly table?: (today: string) => string;
  readonly row?: (today: string, row: Line) => Line;
}

/** An earlier schema: the last migration that it had, of which folder; whom a backup of it is encrypted for, by its identity. */
export interface EarlierSchema {
  readonly schema: string;
  readonly folder?: string;
  readonly key?: string;
}

/** A schema of before the last migrations of this program: tables came since. */
export const BEFORE_RESTORES = '0013-clear-functions';

/**
 * Makes of a backup, in its folder, what it would have been at an earlier schema: the tables and columns that this has not are left out, and what was
 * something else becomes that again.
 */
export async function makeOlder(
  ownerUrl: string,
  backup: string,
  { schema, folder = MIGRATIONS, key }: EarlierSchema,
  { table: nameOf = (today) => today, row: earlier = (_table, row) => row }: Earlier = {},
): Promise<void> {
  const manifest = await requireManifest(backup);
  const open = await requireOpener(manifest, key);
  const columnsOf = await tablesAt(ownerUrl, schema, folder);
  const files: Manifest['files'] = [];
  for (const { table: today, columns, rows } of manifest.files) {
    const [name, table] = [path.join(backup, fileNameOf(today, manifest)), nameOf(today)];
    const then = columnsOf.get(table);
    const content = await text(createReadStream(name).pipe(open()).pipe(createZstdDecompress()));
    await rm(name);
    if (!then) continue;
    const lines = content
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const values = line.split('\t');
        const row = earlier(today, Object.fromEntries(columns.map((column, index) => [column, values[index]!])));
        // Columns that were dropped since counted something.
        return `${then.map((column) => row[column] ?? '0').join('\t')}\n`;
      });
    const packed = zstdCompressSync(lines.join(''));
    const { recipient } = manifest;
    const bytes = recipient === null ? packed : await buffer(Readable.from([packed]).pipe(encryptFor(recipient)));
    await writeFile(path.join(backup, fileNameOf(table, manifest)), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.push({ table, columns: [...then], rows, bytes: bytes.length, sha256 });
  }
  await writeFile(
    path.join(backup, MANIFEST),
    manifestText(signManifest({ ...manifest, schema, files }, TEST_SEAL_KEY)),
  );
}

async function tablesAt(
  ownerUrl: string,
  schema: string,
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { signal } = new AbortController();
  return withScratchDatabase(ownerUrl, signal, async ({ url }) => {
    await migrateTo(url, { folder, schema, signal });
    return withOwnConnections(url, 1, signal, ([client]) => columnsByTable(copierOn(client!)));
  });
}

/** Changes the manifest of a backup. */
export async function rewriteManifest(backup: string, change: (of: Manifest) => Manifest): Promise<void> {
  const file = path.join(backup, MANIFEST);
  const changed = change(JSON.parse(await readFile(file, 'utf8')) as Manifest);
  await writeFile(file, JSON.stringify(signManifest(changed, TEST_SEAL_KEY)));
}

/** A folder with the migrations of this program and more of them, by their names, which come last. It is to be removed. */
export async function moreMigrations(sql: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  await cp(MIGRATIONS, folder, { recursive: true });
  for (const [name, content] of Object.entries(sql)) await writeFile(path.join(folder, `${name}.sql`), content);
  return folder;
}
