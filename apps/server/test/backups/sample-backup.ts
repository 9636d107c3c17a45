import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { foldersOf, newFolderName } from '../../src/backup/keep/backup-folders.ts';
import { manifestText, writeManifest, type Manifest } from '../../src/backup/take/archive/manifest.ts';

/** Complete by manifest, but not restorable. */
export interface SampleBackup {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

export async function sampleBackup(
  backupDir: string,
  {
    adminId = randomUUID(),
    takenAt = new Date('2026-03-04T05:06:07.000Z'),
    sizes = { accounts: 1_000, tickets: 300_000, draws: 0 },
  }: { adminId?: string; takenAt?: Date; sizes?: Readonly<Record<string, number>> } = {},
): Promise<SampleBackup> {
  const name = newFolderName(takenAt);
  const folder = path.join(foldersOf(backupDir, adminId), name);
  await mkdir(folder, { recursive: true });
  const files: Manifest['files'] = [];
  for (const [table, bytes] of Object.entries(sizes)) {
    const content = randomBytes(bytes);
    await writeFile(path.join(folder, `${table}.zst`), content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    files.push({ table, columns: ['id'], rows: 1, bytes, sha256 });
  }
  const nowhere = { seq: '0', hash: null };
  const manifest: Manifest = {
    format: 1,
    schema: '0001-networks-and-accounts',
    installation: randomUUID(),
    admin: { id: adminId, username: 'anna' },
    takenAt: takenAt.toISOString(),
    by: 'anna',
    timeZone: 'Asia/Kolkata',
    recipient: null,
    files,
    wallets: [],
    log: nowhere,
    rootLog: nowhere,
    borderVersion: '0',
  };
  await writeManifest(folder, manifestText(manifest));
  return { name, folder, manifest };
}
