import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { fileNameOf, readManifest, type Manifest } from '../../src/backup/take/archive/manifest.ts';
import { ROOT_LOG_EXTRACT } from '../../src/backup/backup-tables.ts';
import type { TestApp } from '../harness.ts';

export function isTable({ table }: Manifest['files'][number]): boolean {
  return table !== ROOT_LOG_EXTRACT.table;
}

/** Loads temporary tables named like the originals. */
export async function readBack(
  t: TestApp,
  folder: string,
  look: (client: pg.Client, manifest: Manifest) => Promise<void>,
): Promise<void> {
  const manifest = (await readManifest(folder))!;
  const client = new pg.Client({ connectionString: t.database.ownerUrl });
  await client.connect();
  try {
    for (const { table, columns } of manifest.files.filter(isTable)) {
      await client.query(`create temp table ${table} as select ${columns.join(', ')} from public.${table} limit 0`);
      const sink = client.query(copyFrom(`copy pg_temp.${table} (${columns.join(', ')}) from stdin`));
      await pipeline(createReadStream(path.join(folder, fileNameOf(table, manifest))), createZstdDecompress(), sink);
    }
    await look(client, manifest);
  } finally {
    await client.end();
  }
}
