import { base64Of } from '@drawhouse/tlog/base64';
import { formatCheckpoint } from '@drawhouse/tlog/checkpoints';
import { formatNoteKey, noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { signText } from '@drawhouse/tlog/note-signatures';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { formatNote } from '@drawhouse/tlog/signed-notes';
import { TILE_WIDTH, tilePath } from '@drawhouse/tlog/tile-paths';
import type { Tile } from '@drawhouse/tlog/tile-paths';
import { EMPTY_EDGE, growTree, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import { readConsistency, readInclusion } from '@drawhouse/tlog/tree-reader';
import type { TreeReader } from '@drawhouse/tlog/tree-reader';
import type { Get } from './log-look.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A server with its logs, for tests: honest as long as only `append` and `beginAnew` are called. */
export class ModelLogs {
  name = 'model';
  signer: Ed25519Signer;
  /** The records of each log, the first one first. */
  logs: string[][] = [[]];
  /** What it answers in place of anything. */
  status: number | null = null;
  private readonly nodes = new Map<string, Uint8Array>();

  constructor(signer: Ed25519Signer) {
    this.signer = signer;
  }

  get nth(): number {
    return this.logs.length;
  }

  append(records: readonly string[]): void {
    this.logs.at(-1)!.push(...records);
  }

  /** A new log, which names the one before, or as much of it as is said. */
  beginAnew(why: string, named: 'all' | 'nothing' | number = 'all'): void {
    const before = this.logs.at(-1)!;
    const size = named === 'all' ? before.length : named;
    const fields =
      size === 'nothing'
        ? [this.nth + 1, this.originOf(this.nth), '\\N', '\\N', why, '']
        : [this.nth + 1, this.originOf(this.nth), size, hexOf(this.rootOf(this.nth, size)), why, ''];
    this.logs.push([`origins 1\n${fields.join('\t')}\n`]);
  }

  /** The newest checkpoint, signed. */
  checkpoint(): string {
    const origin = this.originOf(this.nth);
    const size = this.logs.at(-1)!.length;
    const text = formatCheckpoint({ origin, size, root: this.rootOf(this.nth, size) });
    return formatNote({ text, signatures: [signText(text, origin, this.signer)] });
  }

  readonly get: Get = async (path) => {
    if (this.status !== null) return { status: this.status, text: '' };
    const [, nth, what, query] = /^\/seals(?:\/(\d+))?\/(\w+)(?:\?(.*))?$/.exec(path)!;
    const asked = Object.fromEntries(new URLSearchParams(query));
    if (what === 'checkpoint') return { status: 200, text: this.checkpoint() };
    if (what === 'key') {
      const key = noteKey(this.originOf(this.nth), SIGNATURE_TYPES.ed25519, this.signer.publicKey);
      return { status: 200, text: `${formatNoteKey(key)}\n` };
    }
    const reader = this.readerOf(Number(nth));
    if (!reader) return { status: 404, text: '{}' };
    try {
      const answer =
        what === 'proof'
          ? { path: await readConsistency(reader, Number(asked['from']), Number(asked['to'])) }
          : {
              entry: base64Of(utf8(this.logs[Number(nth) - 1]![0]!)),
              path: await readInclusion(reader, 0, Number(asked['size'])),
            };
      return { status: 200, text: JSON.stringify({ ...answer, path: answer.path.map(base64Of) }) };
    } catch {
      return { status: 400, text: '{}' };
    }
  };

  originOf(nth: number): string {
    return `${this.name}/seals/${nth}`;
  }

  private rootOf(nth: number, size: number): Uint8Array {
    return rootOfEdge(growTree(EMPTY_EDGE, this.nodesOf(nth).slice(0, size), nodeHashes).edge, nodeHashes);
  }

  private nodesOf(nth: number): Uint8Array[] {
    return this.logs[nth - 1]!.map((record) => {
      const node = this.nodes.get(record) ?? nodeHashes.leaf(utf8(record));
      this.nodes.set(record, node);
      return node;
    });
  }

  private readerOf(nth: number): TreeReader | null {
    if (!this.logs[nth - 1]) return null;
    const { edge, tiles } = growTree(EMPTY_EDGE, this.nodesOf(nth), nodeHashes);
    const place = (tile: Tile): string => tilePath({ ...tile, width: TILE_WIDTH });
    const byPlace = new Map(tiles.map((tile) => [place(tile), tile.bytes]));
    return { size: edge.size, hashes: nodeHashes, readTile: async (tile) => byPlace.get(place(tile))! };
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
