import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entryOf, LOG_NAME, makeVectors, PROOF, COSIGNED_AT, type LogVectors } from '../test/log-vectors.ts';
import { bytesOfBase64, formatNoteKey, parseNoteKey } from './note-keys.ts';
import { parseCheckpoint } from './checkpoints.ts';
import { parseLogProof, verifyLogProof } from './log-proofs.ts';
import { verifyNote } from './note-signatures.ts';
import { verifyOnNode } from './node/ed25519.ts';
import { parseNote } from './signed-notes.ts';
import { isConsistent, isIncluded } from './verify-proofs.ts';

/** Made by Go's golang.org/x/mod: packages/tlog/test/go-vectors/README.md. */
const vectors = JSON.parse(readFileSync(new URL('../test/log-vectors.json', import.meta.url), 'utf8')) as LogVectors;
const bytes = (text: string): Uint8Array => bytesOfBase64(text)!;
const rootOf = (size: number): Uint8Array => bytes(vectors.trees.find((tree) => tree.size === size)!.root);
const logKey = parseNoteKey(vectors.logKey)!;
const witnessKey = parseNoteKey(vectors.witnessKey)!;

describe('vectors of an independent implementation', () => {
  it('match byte for byte: keys, tiles, roots, proofs, notes and bundles', async () => {
    expect((await makeVectors(vectors)).vectors).toEqual(vectors);
  });

  it('round-trip keys', () => {
    expect([logKey, witnessKey].map(formatNoteKey)).toEqual([vectors.logKey, vectors.witnessKey]);
  });

  it.each(vectors.inclusions)('prove leaf $index of $size', ({ index, size, path }) => {
    const inclusion = { leaf: entryOf(index), index, size, path: path.map(bytes) };
    expect(isIncluded(inclusion, rootOf(size))).toBe(true);
    expect(isIncluded({ ...inclusion, leaf: entryOf(index + 1) }, rootOf(size))).toBe(false);
  });

  it.each(vectors.consistencies)('prove that $to extends $from', ({ from, to, path }) => {
    const heads = [from, to].map((size) => ({ size, root: rootOf(size) }));
    expect(isConsistent(heads[0]!, heads[1]!, path.map(bytes))).toBe(true);
    expect(isConsistent({ ...heads[0]!, root: rootOf(from === 3 ? 4 : 3) }, heads[1]!, path.map(bytes))).toBe(false);
  });

  it('contain notes with two valid signatures', async () => {
    for (const [at, text] of vectors.notes.entries()) {
      const note = parseNote(text);
      const verified = await verifyNote(note, [logKey, witnessKey], verifyOnNode);
      expect(verified.map(({ key, time }) => [key.name, time])).toEqual([
        [LOG_NAME, null],
        [witnessKey.name, COSIGNED_AT],
      ]);
      const { size, root } = parseCheckpoint(note.text);
      expect({ size, root }).toEqual({ size: vectors.trees[at]!.size, root: bytes(vectors.trees[at]!.root) });
    }
  });

  it('contain a proof that verifies offline', async () => {
    const proof = parseLogProof(vectors.proof);
    const log = { origin: LOG_NAME, key: logKey, witnesses: [witnessKey] };
    const proved = await verifyLogProof(proof, entryOf(PROOF.index), log, verifyOnNode);
    expect(proved.checkpoint.size).toBe(PROOF.size);
    expect(proved.signatures).toHaveLength(2);
    const wrong = verifyLogProof(proof, entryOf(PROOF.index + 1), log, verifyOnNode);
    await expect(wrong).rejects.toThrow('The entry is not the one at 555 of that tree.');
  });
});
