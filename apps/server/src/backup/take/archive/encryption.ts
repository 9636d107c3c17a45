import { Duplex, PassThrough } from 'node:stream';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { BackupDamaged } from './manifest.ts';
import { DAMAGE } from '../../backup-texts.ts';

export function isIdentity(key: string): boolean {
  return key.startsWith('AGE-SECRET-KEY-');
}

export async function recipientOf(key: string): Promise<string> {
  const recipient = isIdentity(key) ? await identityToRecipient(key) : key;
  new Encrypter().addRecipient(recipient);
  return recipient;
}

/** Encrypts in age format (C2SP). */
export function encryptFor(recipient: string): Duplex {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return stepOf((source) => encrypter.encrypt(source));
}

function decryptBy(identity: string): Duplex {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return stepOf((source) => decrypter.decrypt(source));
}

function stepOf(turn: (source: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Uint8Array>) {
    yield* await turn(webStreamOf(source));
  });
}

/** The browser tests' types lack `ReadableStream.from`. */
function webStreamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(to) {
      const { done, value } = await pieces.next();
      if (done) to.close();
      else to.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

export async function openerOf(
  { recipient }: { readonly recipient: string | null },
  key: string | undefined,
): Promise<(() => Duplex) | undefined> {
  if (recipient === null) return () => new PassThrough();
  const opens = key !== undefined && isIdentity(key) && (await recipientOf(key)) === recipient;
  return opens ? () => decryptBy(key) : undefined;
}

export async function requireOpener(
  manifest: { readonly recipient: string | null },
  key: string | undefined,
): Promise<() => Duplex> {
  const open = await openerOf(manifest, key);
  if (open) return open;
  throw new BackupDamaged(DAMAGE.otherIdentity);
}
