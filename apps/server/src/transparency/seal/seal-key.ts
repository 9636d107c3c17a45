import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteKey, SIGNATURE_TYPES, type NoteKey } from '@drawhouse/tlog/note-keys';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import { signerOf } from '@drawhouse/tlog/node/ed25519';
import { writeSecret } from '../../platform/db/embedded/durable-file.ts';

const KEY_BYTES = 32;

export interface SealKeySettings {
  readonly sealKey: string | undefined;
  readonly sealKeyFile: string | undefined;
  readonly dataDir: string;
}

/**
 * 64 hex digits from settings, their file, or the data folder, where the first start creates a key. Never in the
 * database.
 */
export async function ensureSealKey(settings: SealKeySettings): Promise<SealKey> {
  const existing = await findSealKey(settings);
  if (existing) return existing;
  const key = randomBytes(KEY_BYTES).toString('hex');
  await writeSecret(join(settings.dataDir, 'seal.key'), key);
  return keyOf(key);
}

export async function findSealKey({ sealKey, sealKeyFile, dataDir }: SealKeySettings): Promise<SealKey | undefined> {
  if (sealKey !== undefined) return keyOf(sealKey);
  const file = sealKeyFile ?? join(dataDir, 'seal.key');
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && sealKeyFile === undefined) return undefined;
    throw new Error(`${sealKeyFile === undefined ? file : 'SEAL_KEY_FILE'} can't be read: ${error.message}`);
  });
  if (stored === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(stored.trim()))
    throw new Error(`${file} must contain 64 hex digits. Put the original file back.`);
  return keyOf(stored.trim());
}

export interface SealKey {
  readonly signer: Ed25519Signer;
  readonly privateKey: Uint8Array;
}

function keyOf(hex: string): SealKey {
  const privateKey = Buffer.from(hex, 'hex');
  return { signer: signerOf(privateKey), privateKey };
}

export function logName(publicKey: Uint8Array, named: string | undefined): string {
  return named ?? `drawhouse-${hash('sha256', publicKey).slice(0, 8)}`;
}

export function verifierKey(origin: string, publicKey: Uint8Array): NoteKey {
  return noteKey(origin, SIGNATURE_TYPES.ed25519, publicKey);
}
