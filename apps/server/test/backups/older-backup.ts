import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { columnsByTable } from '../../src/backup/backup-tables.ts';
import { encryptFor, requireOpener } from '../../src/backup/take/archive/encryption.ts';
import { signManifest } from '../../src/backup/take/archive/sign-manifest.ts';
import { TEST_SEAL_KEY } from '../test-seal-key.ts';
import {
  fileNameOf,
  manifestText,
  MANIFEST,
  requireManifest,
  type Manifest,
} from '../../src/backup/take/archive/manifest.ts';
import { copierOn } from '../../src/platform/db/sql/copy-rows.ts';
import { MIGRATIONS, migrateTo, migrationsOf } from '../../src/platform/db/migrate.ts';
import { withDedicatedConnections } from '../../src/platform/db/connection/dedicated-connections.ts';
import { withScratchDatabase } from '../../src/platform/db/scratch-database.ts';

/** By column, in PostgreSQL text format. */
type Line = Readonly<Record<string, string>>;

export interface OlderOptions {
  /** Migrations folder. The backup gets the schema before the last one. */
  readonly folder?: string;
  readonly key?: string;
  readonly row?: (table: string, row: Line) => Line;
}

/** Removes tables and columns of the last migration. */
export async function makeOlder(
  ownerUrl: string,
  backup: string,
  { folder = MIGRATIONS, key, row: rowThen = (_table, row) => row }: OlderOptions = {},
): Promise<void> {
  const manifest = await requireManifest(backup);
  const open = await requireOpener(manifest, key);
  const schema = (await migrationsOf(folder)).at(-2)!;
  const columnsOf = await tablesAt(ownerUrl, schema, folder);
  const files: Manifest['files'] = [];
  for (const { table, columns, rows } of manifest.files) {
    const name = path.join(backup, fileNameOf(table, manifest));
    const then = columnsOf.get(table);
    const content = await text(createReadStream(name).pipe(open()).pipe(createZstdDecompress()));
    await rm(name);
    if (!then) continue;
    const lines = content
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const values = line.split('\t');
        const row = rowThen(table, Object.fromEntries(columns.map((column, index) => [column, values[index]!])));
        return `${then.map((column) => row[column]).join('\t')}\n`;
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
    return withDedicatedConnections(url, 1, signal, ([client]) => columnsByTable(copierOn(client!)));
  });
}

export async function rewriteManifest(backup: string, change: (of: Manifest) => Manifest): Promise<void> {
  const file = path.join(backup, MANIFEST);
  const changed = change(JSON.parse(await readFile(file, 'utf8')) as Manifest);
  await writeFile(file, JSON.stringify(signManifest(changed, TEST_SEAL_KEY)));
}

export async function addMigration(name: string, sql: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  await cp(MIGRATIONS, folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.sql`), sql);
  return folder;
}
