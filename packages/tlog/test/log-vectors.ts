import { createHash } from 'node:crypto';
import { base64Of, formatNoteKey, noteKey, SIGNATURE_TYPES } from '../src/note-keys.ts';
import { formatCheckpoint } from '../src/checkpoints.ts';
import { formatBundle, tilePath } from '../src/tiles.ts';
import { formatLogProof } from '../src/log-proofs.ts';
import { cosignText, signText } from '../src/note-signatures.ts';
import { signerOf } from '../src/node/ed25519.ts';
import { nodeHashes } from '../src/node/hashes.ts';
import { formatNote } from '../src/signed-notes.ts';
import { EMPTY_EDGE, growTree, rootOfEdge } from '../src/tile-writer.ts';
import { readConsistency, readInclusion, readRoot, type TreeReader } from '../src/tree-reader.ts';

/** Output of go-vectors.go (golang.org/x/mod) and `makeVectors`. Nodes in base64, file digests in hex. */
export type LogVectors = {
  readonly logKey: string;
  readonly witnessKey: string;
  readonly trees: readonly { size: number; root: string; tiles: Readonly<Record<string, string>> }[];
  readonly inclusions: readonly { index: number; size: number; path: readonly string[] }[];
  readonly consistencies: readonly { from: number; to: number; path: readonly string[] }[];
  readonly notes: readonly string[];
  readonly proof: string;
  readonly bundles: Readonly<Record<string, string>>;
};

export const LOG_NAME = 'drawhouse-vectors/seals/1';
export const PROOF = { index: 555, size: 1_234 };
export const COSIGNED_AT = 1_679_315_147;
const WITNESS_NAME = 'witness.example/w1';

export function entryOf(index: number): Uint8Array {
  return new TextEncoder().encode(`entry ${index}`);
}

export async function makeVectors(asked: LogVectors): Promise<{ vectors: LogVectors; files: Map<string, Uint8Array> }> {
  const log = signerOf(Buffer.alloc(32, 1));
  const witness = signerOf(Buffer.alloc(32, 2));
  const files = new Map<string, Uint8Array>();
  const sign = (size: number, root: Uint8Array): string => {
    const text = formatCheckpoint({ origin: LOG_NAME, size, root });
    const signatures = [signText(text, LOG_NAME, log), cosignText(text, WITNESS_NAME, witness, COSIGNED_AT)];
    return formatNote({ text, signatures });
  };
  const { trees, notes, size } = writeTrees(asked, files, sign);
  const reader: TreeReader = {
    size,
    readTile: (tile) => Promise.resolve(files.get(tilePath(tile))!),
  };
  const texts = (nodes: readonly Uint8Array[]): string[] => nodes.map(base64Of);
  const inclusions = asked.inclusions.map(async (of) => ({
    ...of,
    path: texts(await readInclusion(reader, of.index, of.size)),
  }));
  const consistencies = asked.consistencies.map(async (of) => ({
    ...of,
    path: texts(await readConsistency(reader, of.from, of.to)),
  }));
  const proof = formatLogProof({
    index: PROOF.index,
    path: await readInclusion(reader, PROOF.index, PROOF.size),
    checkpoint: sign(PROOF.size, await readRoot(reader, PROOF.size)),
    extra: new TextEncoder().encode('extra'),
  });
  const vectors = {
    logKey: formatNoteKey(noteKey(LOG_NAME, SIGNATURE_TYPES.ed25519, log.publicKey)),
    witnessKey: formatNoteKey(noteKey(WITNESS_NAME, SIGNATURE_TYPES.cosignature, witness.publicKey)),
    trees,
    inclusions: await Promise.all(inclusions),
    consistencies: await Promise.all(consistencies),
    notes,
    proof,
    bundles: writeBundles(files),
  };
  return { vectors, files };
}

function writeTrees(
  asked: LogVectors,
  files: Map<string, Uint8Array>,
  sign: (size: number, root: Uint8Array) => string,
): Pick<LogVectors, 'trees' | 'notes'> & { size: number } {
  let edge = EMPTY_EDGE;
  const notes: string[] = [];
  const trees = asked.trees.map(({ size }) => {
    const leaves = Array.from({ length: size - edge.size }, (_, at) => nodeHashes.leaf(entryOf(edge.size + at)));
    const grown = growTree(edge, leaves);
    edge = grown.edge;
    for (const tile of grown.tiles) files.set(tilePath(tile), tile.bytes);
    const root = rootOfEdge(edge);
    notes.push(sign(size, root));
    const tiles = Object.fromEntries(grown.tiles.map((tile) => [tilePath(tile), digestOf(tile.bytes)]));
    return { size, root: base64Of(root), tiles };
  });
  return { trees, notes, size: edge.size };
}

function writeBundles(files: Map<string, Uint8Array>): Record<string, string> {
  const bundles = [
    { index: 0, width: 256 },
    { index: 2, width: 88 },
  ].map(({ index, width }): [string, Uint8Array] => [
    tilePath({ level: 'entries', index, width }),
    formatBundle(Array.from({ length: width }, (_, at) => entryOf(256 * index + at))),
  ]);
  for (const [path, bytes] of bundles) files.set(path, bytes);
  return Object.fromEntries(bundles.map(([path, bytes]) => [path, digestOf(bytes)]));
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
