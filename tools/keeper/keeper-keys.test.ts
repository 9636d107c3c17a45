import { formatNoteKey, noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { expect, it } from 'vitest';
import { makeKey, readPublicKey, signerOf, verifierOf } from './keeper-keys.ts';

it('a public key is read from its digits, or as a server tells the key of its seals, and from nothing else', () => {
  const { publicKey } = makeKey();
  const bytes = Buffer.from(publicKey, 'hex');
  const told = formatNoteKey(noteKey('drawhouse-12345678/seals', SIGNATURE_TYPES.ed25519, bytes));
  for (const text of [publicKey, publicKey.toUpperCase(), `${told}\n`]) expect(readPublicKey(text)).toBe(publicKey);
  const witness = formatNoteKey(noteKey('witness', SIGNATURE_TYPES.cosignature, bytes));
  for (const text of ['', 'ab', `${publicKey}00`, witness, told.replace('+', '-'), told.replace('drawhouse', 'other')])
    expect(() => readPublicKey(text)).toThrow('It must be 64 hex digits, or a verifier key');
});

it('a signature is that of its key on its text, the same each time', () => {
  const [one, other] = [makeKey(), makeKey()];
  const text = Buffer.from('text');
  const signature = signerOf(one)(text);
  expect(signerOf(one)(text)).toBe(signature);
  expect(verifierOf(one.publicKey)(text, signature)).toBe(true);
  expect(verifierOf(other.publicKey)(text, signature)).toBe(false);
  expect(verifierOf(one.publicKey)(Buffer.from('texT'), signature)).toBe(false);
});
