import { replaceDurably } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatNoteKey, isKeyName, noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';

const NAME_DIGITS = 8;

export type WitnessIdentity = {
  readonly name: string;
  readonly signer: Ed25519Signer;
  /** Value for the server's `SEAL_WITNESSES`. */
  readonly vkey: string;
};

/**
 * Created at the first start and permanent. Throws if unreadable or named differently: cosignatures contain the name.
 */
export async function ensureWitness(dir: string, wished: string | undefined): Promise<WitnessIdentity> {
  if (wished !== undefined && !isKeyName(wished))
    throw new Error('--name must not contain spaces or plus signs. Example: witness.example.org.');
  const file = join(dir, 'witness.json');
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stored === undefined) {
    const identity = identityOf(newPrivateKey(), wished);
    await replaceDurably(file, `${JSON.stringify({ name: identity.name, privateKey: identity.privateKey })}\n`);
    return identity;
  }
  const { name, privateKey } = readPersisted(file, stored);
  if (wished !== undefined && wished !== name)
    throw new Error(`--name is ${wished}, but this witness is ${name}, as its co-signatures say. Use another --dir.`);
  return identityOf(Buffer.from(privateKey, 'hex'), name);
}

function readPersisted(file: string, text: string): { name: string; privateKey: string } {
  try {
    const { name, privateKey } = JSON.parse(text) as { name: unknown; privateKey: unknown };
    if (typeof name === 'string' && isKeyName(name) && /^[0-9a-f]{64}$/.test(String(privateKey)))
      return { name, privateKey: String(privateKey) };
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is damaged: put back an undamaged copy of it.`);
}

function identityOf(privateKey: Uint8Array, wished: string | undefined): WitnessIdentity & { privateKey: string } {
  const signer = signerOf(privateKey);
  const name = wished ?? `witness-${hash('sha256', signer.publicKey).slice(0, NAME_DIGITS)}`;
  const vkey = formatNoteKey(noteKey(name, SIGNATURE_TYPES.cosignature, signer.publicKey));
  return { name, signer, vkey, privateKey: Buffer.from(privateKey).toString('hex') };
}
