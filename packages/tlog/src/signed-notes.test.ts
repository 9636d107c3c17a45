import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64Of, bytesOfBase64, formatNoteKey, noteKey, parseNoteKey, SIGNATURE_TYPES } from './note-keys.ts';
import { formatCheckpoint, parseCheckpoint } from './checkpoints.ts';
import { formatBundle, parseBundle } from './tiles.ts';
import { formatLogProof, parseLogProof, verifyLogProof } from './log-proofs.ts';
import { cosignText, signText, verifyNote, verifySignature } from './note-signatures.ts';
import { newPrivateKey, signerOf, verifyOnNode } from './node/ed25519.ts';
import { formatNote, parseNote } from './signed-notes.ts';

const signer = signerOf(Buffer.alloc(32, 7));
const witness = signerOf(Buffer.alloc(32, 8));
const key = noteKey('log.example/1', SIGNATURE_TYPES.ed25519, signer.publicKey);
const witnessKey = noteKey('witness.example', SIGNATURE_TYPES.cosignature, witness.publicKey);
const TEXT = formatCheckpoint({ origin: 'log.example/1', size: 0, root: new Uint8Array(32) });
const SIGNED = formatNote({ text: TEXT, signatures: [signText(TEXT, key.name, signer)] });

describe('notes', () => {
  it('survive a round trip, with empty lines in their text', () => {
    const text = 'one\n\nè\n';
    const note = { text, signatures: [signText(text, 'a', signer), cosignText(text, 'b', witness, 5)] };
    expect(parseNote(formatNote(note))).toEqual(note);
    expect(parseNote(new TextEncoder().encode(formatNote(note)))).toEqual(note);
  });

  it("parse the specification's example", () => {
    const note = parseNote(
      'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n' +
        '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n',
    );
    expect(note.text).toMatch(/^Ognuno.*sera\.\n$/s);
    expect(note.signatures.map(({ name, keyId }) => [name, keyId])).toEqual([
      ['quasimodo.example/salvatore', '367ba04b'],
    ]);
  });

  it.each([
    ['without an empty line', SIGNED.replace('\n\n', '\n')],
    ['without signatures', `${TEXT}\n`],
    ['without the end of its last line', SIGNED.slice(0, -1)],
    ['with text behind its signatures', `${SIGNED}more\n`],
    ['with a hyphen for the dash', SIGNED.replace('—', '-')],
    ['with a carriage return', SIGNED.replaceAll('\n', '\r\n')],
    ['with a tab', SIGNED.replace('log', 'l\tog')],
    ['with a nul', SIGNED.replace('log', 'l\u0000og')],
    ['with half a character', SIGNED.replace('log', '\ud800')],
    ['with two spaces in a signature', SIGNED.replace('— ', '—  ')],
    ['with a space of another kind in a name', SIGNED.replace('— log', '— l\u00a0og')],
    ['with a plus sign in a name', SIGNED.replace('— log', '— l+og')],
    ['with base64 that is cut off', SIGNED.replace(/=\n$/, '\n')],
    ['with a signature of no bytes', `${TEXT}\n— a AAAAAA==\n`],
    ['with bytes that are no UTF-8', Uint8Array.of(0xff, ...new TextEncoder().encode(SIGNED))],
    ['with 101 signatures', SIGNED + SIGNED.slice(TEXT.length + 1).repeat(100)],
    ['of more bytes than is taken', `${'x\n'.repeat(50_001)}${SIGNED}`],
  ])('are refused %s', (_, note) => {
    expect(() => parseNote(note)).toThrow(expect.objectContaining({ name: 'NoteError' }));
  });

  it('are refused or round-trip, whatever the input', () => {
    const parts = fc.array(fc.constantFrom('\n', '\n\n', '— ', 'a', ' ', 'AAAAAAAA', '=', '+', 'é', '\u2028', '\r'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(parts, (texts) => {
        const text = `a\n\n— a AAAAAAAA\n${texts.join('')}`;
        try {
          expect(formatNote(parseNote(text))).toBe(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'NoteError' });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('signatures', () => {
  const cosigned = parseNote(
    formatNote({
      text: TEXT,
      signatures: [signText(TEXT, key.name, signer), cosignText(TEXT, witnessKey.name, witness, 99)],
    }),
  );

  it('verify; those of unknown keys are skipped', async () => {
    const both = await verifyNote(cosigned, [witnessKey, key], verifyOnNode);
    expect(both.map((found) => [found.key, found.time])).toEqual([
      [key, null],
      [witnessKey, 99],
    ]);
    expect(await verifyNote(cosigned, [witnessKey], verifyOnNode)).toHaveLength(1);
    const otherKey = noteKey('log.example/2', SIGNATURE_TYPES.ed25519, signer.publicKey);
    await expect(verifyNote(cosigned, [otherKey], verifyOnNode)).rejects.toThrow(
      'The note has no signature of log.example/2',
    );
  });

  it('fail after any change of text or bit', async () => {
    const texts = verifyNote({ ...cosigned, text: TEXT.replace('\n0\n', '\n1\n') }, [key], verifyOnNode);
    await expect(texts).rejects.toThrow(`The signature of log.example/1 (${key.id}) is not valid.`);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 1), fc.nat(), async (at, bit) => {
        const { signature, ...of } = cosigned.signatures[at]!;
        const changed = signature.slice();
        changed[(bit >> 3) % changed.length]! ^= 1 << (bit & 7);
        const note = { ...of, signature: changed };
        expect(await verifySignature(TEXT, note, [key, witnessKey][at]!, verifyOnNode)).toBeNull();
      }),
    );
  });

  it('by a known key refuse the note if wrong, whoever else signed', async () => {
    const [log, other] = cosigned.signatures;
    const wrong = { ...other!, signature: other!.signature.slice(1) };
    const note = { text: TEXT, signatures: [log!, wrong] };
    await expect(verifyNote(note, [key, witnessKey], verifyOnNode)).rejects.toThrow('is not valid');
    expect(await verifyNote(note, [key], verifyOnNode)).toHaveLength(1);
  });

  it("do not count as another type: a log's key cannot cosign", async () => {
    const asWitness = noteKey(key.name, SIGNATURE_TYPES.cosignature, signer.publicKey);
    expect(asWitness.id).not.toBe(key.id);
    const [log] = cosigned.signatures;
    expect(await verifySignature(TEXT, { ...log!, keyId: asWitness.id }, asWitness, verifyOnNode)).toBeNull();
  });

  it('match RFC 8032 (section 7.1, test 2)', () => {
    const of = signerOf(Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex'));
    const message = Uint8Array.of(0x72);
    const signature = of.sign(message);
    expect(Buffer.from(signature).toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
    expect(verifyOnNode(of.publicKey, message, signature)).toBe(true);
    expect(newPrivateKey()).toHaveLength(32);
    expect(() => signerOf(new Uint8Array(31))).toThrow('An Ed25519 private key has 32 bytes, not 31.');
  });

  it('carry whole seconds', () => {
    expect(() => cosignText(TEXT, 'w', witness, 1.5)).toThrow('in whole seconds');
  });
});

describe('keys', () => {
  it('survive a round trip, including plus signs in base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom<1 | 4>(1, 4), (publicKey, type) => {
        const made = noteKey('drawhouse-1a2b3c4d/seals/1', type, publicKey);
        expect(parseNoteKey(formatNoteKey(made))).toEqual(made);
      }),
    );
  });

  it('match Go’s documentation', () => {
    const known = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(formatNoteKey(parseNoteKey(known)!)).toBe(known);
  });

  it.each([
    'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T',
    'PeterNeumann+c74f20a3',
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n',
    formatNoteKey({ ...noteKey('a', SIGNATURE_TYPES.ed25519, new Uint8Array(32)), type: 9 as 1 }),
    '',
  ])('are refused: %s', (text) => expect(parseNoteKey(text)).toBeNull());

  it('are refused if incomplete', () => {
    expect(() => noteKey('a b', 1, new Uint8Array(32))).toThrow('A key’s name'.replace('’', "'"));
    expect(() => noteKey('a', 1, new Uint8Array(33))).toThrow('has 32 bytes, not 33');
  });
});

describe('checkpoints', () => {
  const root = base64Of(new Uint8Array(32).fill(9));

  it('survive a round trip', () => {
    const checkpoint = { origin: 'a b', size: 2 ** 53 - 1, root: new Uint8Array(32).fill(9), extensions: ['more'] };
    expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint);
  });

  it.each([
    'a\n1\n',
    `a\n1\n${root}`,
    `\n1\n${root}\n`,
    `a\n01\n${root}\n`,
    `a\n-1\n${root}\n`,
    `a\n1.5\n${root}\n`,
    `a\n9007199254740992\n${root}\n`,
    `a\n1\n${root}\n\n`,
    `a\n1\n${root.slice(4)}\n`,
    `a\n1\n${root.replace('=', 'A')}\n`,
  ])('are refused: %j', (text) =>
    expect(() => parseCheckpoint(text)).toThrow(expect.objectContaining({ name: 'NoteError' })),
  );

  it('are not written if unreadable', () => {
    expect(() => formatCheckpoint({ origin: '', size: 0, root: new Uint8Array(32) })).toThrow('three lines');
    expect(() => formatCheckpoint({ origin: 'a', size: 0.5, root: new Uint8Array(32) })).toThrow('size');
  });
});

describe('proofs as files', () => {
  const leaf = new TextEncoder().encode('the only entry');

  it("survive a round trip with the log's signature only", async () => {
    const { nodeHashes } = await import('./node/hashes.ts');
    const text = formatCheckpoint({ origin: key.name, size: 1, root: nodeHashes.leaf(leaf) });
    const checkpoint = formatNote({
      text,
      signatures: [signText(text, key.name, signer), cosignText(text, witnessKey.name, witness, 3)],
    });
    const proof = { index: 0, path: [], checkpoint, extra: null };
    expect(parseLogProof(formatLogProof(proof))).toEqual(proof);
    const log = { origin: key.name, key, witnesses: [witnessKey] };
    expect((await verifyLogProof(proof, leaf, log, verifyOnNode)).signatures).toHaveLength(2);
    await expect(verifyLogProof(proof, leaf, { ...log, origin: 'b' }, verifyOnNode)).rejects.toThrow('not of b');
    const unsigned = {
      ...proof,
      checkpoint: formatNote({ text, signatures: parseNote(checkpoint).signatures.slice(1) }),
    };
    await expect(verifyLogProof(unsigned, leaf, log, verifyOnNode)).rejects.toThrow('not signed by its log');
  });

  it.each([
    'c2sp.org/tlog-proof@v1\nindex 0\n',
    `c2sp.org/tlog-proof@v2\nindex 0\n\n${SIGNED}`,
    `c2sp.org/tlog-proof@v1\nextra !\nindex 0\n\n${SIGNED}`,
    `c2sp.org/tlog-proof@v1\nindex 00\n\n${SIGNED}`,
    `c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\n${SIGNED}`,
    `c2sp.org/tlog-proof@v1\nindex 0\n${'x\n'.repeat(64)}\n${SIGNED}`,
  ])('are refused: %j', (text) =>
    expect(() => parseLogProof(text)).toThrow(expect.objectContaining({ name: 'NoteError' })),
  );
});

describe('bundles and base64', () => {
  it('survive the round trip', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (entries) => {
        expect(parseBundle(formatBundle(entries)).map((entry) => entry.slice())).toEqual(entries);
        for (const entry of entries) expect(bytesOfBase64(base64Of(entry))).toEqual(entry);
      }),
    );
  });

  it('are refused if truncated or too long', () => {
    expect(() => parseBundle(Uint8Array.of(0, 2, 9))).toThrow('ends within its entry 0');
    expect(() => parseBundle(Uint8Array.of(0, 0, 1))).toThrow('ends within its entry 1');
    expect(() => formatBundle([new Uint8Array(65_536)])).toThrow('at most 65535 bytes');
  });

  it('have one text per value', () => {
    expect(['AA==', 'AB==', 'AA=', 'AA', 'A A=', 'AA==\n', '-_8='].map(bytesOfBase64)).toEqual([
      Uint8Array.of(0),
      ...Array(6).fill(null),
    ]);
  });
});
