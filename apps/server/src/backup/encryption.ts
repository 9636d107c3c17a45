import { Duplex } from 'node:stream';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';

/** Whether a `BACKUP_KEY` is an identity, which reads what is encrypted for it too. */
export function isIdentity(key: string): boolean {
  return key.startsWith('AGE-SECRET-KEY-');
}

/** The recipient that a `BACKUP_KEY` names: itself, or that of the identity. Throws where it is mistyped. */
export async function recipientOf(key: string): Promise<string> {
  const recipient = isIdentity(key) ? await identityToRecipient(key) : key;
  new Encrypter().addRecipient(recipient);
  return recipient;
}

/** A step of a pipeline that encrypts for a recipient, in the format of age (C2SP). */
export function encryptFor(recipient: string): Duplex {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return stepOf((source) => encrypter.encrypt(source));
}

/** One that decrypts what was encrypted for the recipient of an identity. */
export function decryptBy(identity: string): Duplex {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return stepOf((source) => decrypter.decrypt(source));
}

function stepOf(turn: (source: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Uint8Array>) {
    // The browser's types, which the browser tests see it by, have no `from`.
    yield* await turn(NodeStream.from(source) as unknown as ReadableStream<Uint8Array>);
  });
}
