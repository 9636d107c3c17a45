import { createHash } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { MANIFEST, type Manifest } from '../../src/backup/take/archive/manifest.ts';
import { signManifest } from '../../src/backup/take/archive/sign-manifest.ts';
import { TEST_SEAL_KEY } from '../test-seal-key.ts';

export type ForgedRow = Record<string, string>;

/** Edits a backup and keeps its manifest consistent. */
export class ForgedBackup {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  file(name: string): string {
    return path.join(this.#folder, name);
  }

  async manifest(): Promise<Manifest> {
    return JSON.parse(await readFile(this.file(MANIFEST), 'utf8')) as Manifest;
  }

  async rewrite(change: (manifest: Manifest) => object): Promise<void> {
    const changed = change(await this.manifest()) as Manifest;
    await writeFile(this.file(MANIFEST), JSON.stringify(signManifest(changed, TEST_SEAL_KEY)));
  }

  async text(table: string, change: (rows: string) => string | Buffer): Promise<void> {
    const name = this.file(`${table}.zst`);
    await this.put(table, change(zstdDecompressSync(await readFile(name)).toString()));
  }

  async cut(table: string): Promise<void> {
    await truncate(this.file(`${table}.zst`), 40);
  }

  async remove(table: string): Promise<void> {
    await rm(this.file(`${table}.zst`));
  }

  async put(table: string, content: string | Buffer): Promise<void> {
    const changed = zstdCompressSync(content);
    await writeFile(this.file(`${table}.zst`), changed);
    const sum = {
      bytes: changed.length,
      sha256: createHash('sha256').update(changed).digest('hex'),
      rows: content.toString().split('\n').length - 1,
    };
    await this.rewrite((of) => ({
      ...of,
      files: of.files.map((one) => (one.table === table ? { ...one, ...sum } : one)),
    }));
  }

  async rows(table: string, change: (rows: ForgedRow[]) => ForgedRow[]): Promise<void> {
    const { columns } = (await this.manifest()).files.find((one) => one.table === table)!;
    let forged: ForgedRow[] = [];
    await this.text(table, (text) => {
      const rows = text
        .split('\n')
        .slice(0, -1)
        .map((line) => Object.fromEntries(line.split('\t').map((value, index) => [columns[index]!, value])));
      forged = change(rows);
      return forged.map((row) => `${columns.map((name) => row[name]).join('\t')}\n`).join('');
    });
    if (table !== 'wallets') return;
    const sumOf = (kind: number): { wallets: number; balance: string } => {
      const ofKind = forged.filter((row) => row['kind'] === String(kind));
      return {
        wallets: ofKind.length,
        balance: String(ofKind.reduce((sum, { balance }) => sum + BigInt(balance!), 0n)),
      };
    };
    await this.rewrite((of) => ({
      ...of,
      wallets: of.wallets.map(({ kind }) => ({ kind, ...sumOf(WALLET_KINDS[kind as keyof typeof WALLET_KINDS]) })),
    }));
  }
}
