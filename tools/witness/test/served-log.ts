import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatNoteKey, noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { formatCheckpoint } from '@drawhouse/tlog/checkpoints';
import { signText } from '@drawhouse/tlog/note-signatures';
import { signerOf } from '@drawhouse/tlog/node/ed25519';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { formatNote } from '@drawhouse/tlog/signed-notes';
import { parseTilePath, tilePath, type Tile } from '@drawhouse/tlog/tiles';
import { EMPTY_EDGE, growTree, rootOfEdge, type TreeEdge } from '@drawhouse/tlog/tile-writer';
import { readConsistency, readRoot } from '@drawhouse/tlog/tree-reader';

const NAME = 'games.example';

/** Holds real tiles in memory. */
export class TestLog {
  readonly nth: number;
  readonly files = new Map<string, Uint8Array>();
  readonly #seed: Buffer;
  #edge: TreeEdge = EMPTY_EDGE;
  #entries: Uint8Array[] = [];

  constructor(nth = 1, seed = 1) {
    this.nth = nth;
    this.#seed = Buffer.alloc(32, seed);
  }

  get origin(): string {
    return `${NAME}/seals/${this.nth}`;
  }

  get size(): number {
    return this.#edge.size;
  }

  get vkey(): string {
    return formatNoteKey(noteKey(this.origin, SIGNATURE_TYPES.ed25519, signerOf(this.#seed).publicKey));
  }

  /** A copy that can diverge. */
  fork(): TestLog {
    const other = new TestLog(this.nth);
    other.add(this.#entries);
    return other;
  }

  add(more: readonly Uint8Array[] | number): this {
    const entries =
      typeof more === 'number'
        ? Array.from({ length: more }, (_, at) => Buffer.from(`things 1\n${this.size + at}\n`))
        : more;
    this.#entries.push(...entries);
    const grown = growTree(this.#edge, entries.map(nodeHashes.leaf));
    for (const tile of grown.tiles) this.files.set(tilePath(tile), tile.bytes);
    this.#edge = grown.edge;
    return this;
  }

  note(root = rootOfEdge(this.#edge), size = this.size): string {
    const text = formatCheckpoint({ origin: this.origin, size, root });
    return formatNote({ text, signatures: [signText(text, this.origin, signerOf(this.#seed))] });
  }

  async noteOf(size: number): Promise<string> {
    return this.note(await readRoot(this.#reader(), size), size);
  }

  proof(from: number, to = this.size): Promise<Uint8Array[]> {
    return readConsistency(this.#reader(), from, to);
  }

  #reader() {
    const readTile = (tile: Tile): Promise<Uint8Array> => Promise.resolve(this.files.get(tilePath(tile))!);
    return { size: this.size, readTile };
  }
}

/** Imitates a lying or broken server; false to answer normally. */
export type Instead = (path: string, request: IncomingMessage, reply: ServerResponse) => boolean;

/** Serves logs over HTTP as in docs/seals.md. */
export class LogServer {
  logs: TestLog[];
  readonly cosigned: string[] = [];
  readonly requests: string[] = [];
  instead: Instead = () => false;
  readonly #server: Server;

  private constructor(logs: TestLog[]) {
    this.logs = logs;
    this.#server = createServer((request, reply) => {
      const path = request.url!.replace(/^\/seals\//, '');
      this.requests.push(path);
      if (!this.instead(path, request, reply)) void this.#answer(path, request, reply);
    });
  }

  /** The newest log comes last. */
  static async start(...logs: TestLog[]): Promise<LogServer> {
    const server = new LogServer(logs);
    await new Promise<void>((done) => server.#server.listen(0, '127.0.0.1', done));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(address: string, request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const [, named, rest] = /^(?:(\d+)\/)?(.*)$/.exec(address)!;
    const log = named === undefined ? this.logs.at(-1) : this.logs.find(({ nth }) => nth === Number(named));
    const path = rest!;
    const tile = parseTilePath(path);
    if (!log) return send(reply, 404, 'There are no such seals.');
    if (path === 'checkpoint') return send(reply, 200, log.note());
    if (path === 'cosign') {
      this.cosigned.push(await bodyOf(request));
      return send(reply, 200, '{"success":true}');
    }
    const bytes = tile && log.files.get(path);
    if (!bytes) return send(reply, 404, 'There is no such tile.');
    return send(reply, 200, bytes);
  }
}

export function send(reply: ServerResponse, status: number, body: string | Uint8Array): void {
  reply.writeHead(status).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request as AsyncIterable<Buffer>) body += part.toString();
  return body;
}
