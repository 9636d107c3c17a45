import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupDamaged, fileNameOf, type Manifest, type ManifestFile } from './archive/manifest.ts';
import { createMeasure, differenceOf, unreadable } from './measure-stream.ts';
import { streamOf } from './archive/plain-file.ts';
import { ALTERED, isSignatureValid, publicKeyOf, signManifest } from './archive/sign-manifest.ts';
import { DAMAGE } from '../backup-texts.ts';

/** Replacements in COPY text format. Hashes of API keys are unique, hence random bytes. */
const SECRETS: Readonly<Record<string, readonly [column: string, instead: () => string]>> = {
  accounts: ['password_hash', () => ''],
  logins: ['password_hash', () => ''],
  api_keys: ['key_hash', () => String.raw`\\x${randomBytes(32).toString('hex')}`],
  landing_settings: ['wall_key_hash', () => String.raw`\N`],
  factors: ['secret', () => String.raw`\N`],
};

export interface Withheld {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Removes secrets of factors and hashes of passwords, API keys and the wall's key, unless encrypted. Updates flag,
 * checksums and this installation's signature. Throws {@link BackupDamaged} on mismatch, so altered content is never
 * signed.
 */
export async function withholdSecrets(
  folder: string,
  manifest: Manifest,
  sealKey: Uint8Array | undefined,
): Promise<Withheld> {
  if (manifest.recipient !== null || manifest.isWithoutSecrets) return { manifest, files: new Map() };
  if (!isSignatureValid(manifest)) throw new BackupDamaged(ALTERED);
  const contents = new Map<string, Buffer>();
  const files: ManifestFile[] = [];
  for (const file of manifest.files) {
    const secret = SECRETS[file.table];
    const at = secret === undefined ? -1 : file.columns.indexOf(secret[0]);
    if (at === -1) {
      files.push(file);
      continue;
    }
    const { content, ...measured } = await rewrite(folder, { file, manifest }, at, secret![1]);
    contents.set(file.table, content);
    files.push({ ...file, ...measured });
  }
  const { signature, ...rest } = manifest;
  const withheld: Manifest = { ...rest, files, isWithoutSecrets: true };
  const isOwn = sealKey !== undefined && signature?.key === publicKeyOf(sealKey);
  return { manifest: isOwn ? signManifest(withheld, sealKey) : withheld, files: contents };
}

async function rewrite(
  folder: string,
  { file, manifest }: { readonly file: ManifestFile; readonly manifest: Manifest },
  column: number,
  instead: () => string,
): Promise<Pick<ManifestFile, 'bytes' | 'sha256'> & { readonly content: Buffer }> {
  const name = fileNameOf(file.table, manifest);
  const measure = createMeasure();
  const pieces: Buffer[] = [];
  try {
    await pipeline(
      streamOf(path.join(folder, name)),
      measure.step,
      createZstdDecompress(),
      replaceColumn(column, instead),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      async (content: AsyncIterable<Buffer>) => {
        for await (const piece of content) pieces.push(piece);
      },
    );
  } catch (error) {
    throw new BackupDamaged(DAMAGE.ofFile(name, unreadable(error as Error)), { cause: error });
  }
  const difference = differenceOf(measure, file);
  if (difference !== undefined) throw new BackupDamaged(`${name} ${difference}`);
  const content = Buffer.concat(pieces);
  return { content, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** PostgreSQL escapes tabs and newlines, so splitting is safe. */
function replaceColumn(column: number, instead: () => string): Transform {
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop()!;
      const rows = lines.map((line) => {
        const values = line.split('\t');
        values[column] = instead();
        return `${values.join('\t')}\n`;
      });
      done(null, Buffer.from(rows.join(''), 'latin1'));
    },
    flush(done) {
      done(rest === '' ? null : new Error(DAMAGE.lastRowUnterminated));
    },
  });
}
