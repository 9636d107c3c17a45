import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import { signerOf } from '@drawhouse/tlog/on-node-ed25519';
import { writeSecret } from '../db/secret-file.ts';

const KEY_BYTES = 32;

/** Where the settings keep the key. */
export interface SealKeySettings {
  readonly sealKey: string | undefined;
  readonly sealKeyFile: string | undefined;
  readonly dataDir: string;
}

/**
 * The Ed25519 key that signs: 64 hex digits of the settings, of the file that they name, or of the one in the data folder, made there at the first
 * start. It is never in the database. Throws a sentence where a file can't be read or holds no key.
 */
export async function ensureSealKey(settings: SealKeySettings): Promise<SealKey> {
  const known = await knownSealKey(settings);
  if (known) return known;
  const key = randomBytes(KEY_BYTES).toString('hex');
  await writeSecret(join(settings.dataDir, 'seal.key'), key);
  return keyOf(key);
}

/** The same key where there is one already; none is made. Throws likewise. */
export async function knownSealKey({ sealKey, sealKeyFile, dataDir }: SealKeySettings): Promise<SealKey | undefined> {
  if (sealKey !== undefined) return keyOf(sealKey);
  const file = sealKeyFile ?? join(dataDir, 'seal.key');
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && sealKeyFile === undefined) return undefined;
    throw new Error(`${sealKeyFile === undefined ? file : 'SEAL_KEY_FILE'} can't be read: ${error.message}`);
  });
  if (kept === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(kept.trim()))
    throw new Error(`${file} must hold 64 hex digits. Put back the file that was there.`);
  return keyOf(kept.trim());
}

/** The key, and who signs by it. */
export interface SealKey {
  readonly signer: Ed25519Signer;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
}

function keyOf(hex: string): SealKey {
  const privateKey = Buffer.from(hex, 'hex');
  return { signer: signerOf(privateKey), privateKey };
}

/** The name of the logs of an installation: what the settings say, else one that follows from its key. */
export function logName(publicKey: Uint8Array, named: string | undefined): string {
  return named ?? `drawhouse-${hash('sha256', publicKey).slice(0, 8)}`;
}

/** The key by which the checkpoints of a log are verified. */
export function verifierKey(origin: string, publicKey: Uint8Array): NoteKey {
  return noteKey(origin, SIGNATURE_TYPES.ed25519, publicKey);
}
