import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWN_FOLDER } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import { LogWatcher, type Observation } from './log-watcher.ts';
import { sealsClient } from './seals-client.ts';
import { WitnessBook } from './witness-book.ts';
import { EvidenceBook } from './witness-evidence.ts';
import { ensureWitness, type WitnessIdentity } from './witness-identity.ts';
import { readWitnessedLog } from './witnessed-log.ts';
import { createServer, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { addCheckpoint, type AddOptions, type WitnessAnswer } from './add-checkpoint.ts';
import { limitConnections } from '../../apps/server/src/platform/http/limits/connections.ts';
import { readUpTo } from '../../apps/server/src/platform/http/request/read-up-to.ts';

export type WitnessOptions = {
  readonly of: string;
  /** Key of the log to watch, from `/seals/key`. */
  readonly key: string;
  readonly dir: string;
  /** Name at the first start; default derived from the key. */
  readonly name: string | undefined;
  /** Serves `add-checkpoint`; undefined: not at all. Port 0 picks a free port. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  readonly report: (sentence: string) => void;
  /** Receives local faults while answering. */
  readonly failed: (error: Error) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
};

export type RunningWitness = {
  readonly identity: WitnessIdentity;
  readonly url: string | undefined;
  readonly evidence: EvidenceBook;
  look(): Promise<Observation>;
  close(): Promise<void>;
};

/** Throws if another witness uses the folder or its files are damaged. */
export async function startWitness(options: WitnessOptions): Promise<RunningWitness> {
  const { dir, report, now } = options;
  const log = readWitnessedLog(options.key);
  await mkdir(dir, { recursive: true, mode: OWN_FOLDER });
  const lock = lockFolder(dir);
  let server: Server | undefined;
  try {
    const identity = await ensureWitness(dir, options.name);
    const evidence = await EvidenceBook.open(dir, { log, report, now });
    const book = await WitnessBook.open(dir, { log, witness: identity, evidence, now });
    const client = sealsClient(options.of);
    const watcher = new LogWatcher({ log, client, book, evidence, report, now });
    if (options.listen) {
      server = createWitnessServer({ log, book, evidence, prove: watcher.prove.bind(watcher) }, options.failed);
      await listening(server, options.listen);
    }
    return {
      identity,
      url: server && urlOf(server, options.listen!.host),
      evidence,
      look: () => watcher.look(),
      async close() {
        await closed(server);
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    await closed(server);
    lock[Symbol.dispose]();
    throw error;
  }
}

const SQLITE_BUSY = 5;

/** The system releases SQLite's lock however the process ends. */
function lockFolder(dir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dir, 'lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock[Symbol.dispose]();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(
      `Another witness is running on the folder ${dir}. Two on one folder could give different answers.`,
      {
        cause: error,
      },
    );
  }
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail).listen(at, () => done());
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function closed(server: Server | undefined): Promise<void> {
  if (!server?.listening) return;
  await new Promise<void>((done) => {
    server.close(() => done());
    server.closeIdleConnections();
  });
}

/** 63 hashes take some kilobytes; many cosignatures add more. */
const MOST_BYTES = 64 * 1024;
/** One address may host several logs. Idle senders are cut off. */
const BOUNDS = { ofOneAddress: 50, requestMs: 10_000 };
const PATH = '/add-checkpoint';
const TEXT = 'text/plain; charset=utf-8';

/** Implements C2SP tlog-witness. Local faults go to `failed` and answer 500. */
function createWitnessServer(options: AddOptions, failed: (error: Error) => void): Server {
  const server = createServer((request, reply) => {
    void answer(request, options)
      .catch((error: Error): WitnessAnswer => {
        failed(error);
        return { status: 500, type: TEXT, body: 'The witness can’t write. Nothing was co-signed.\n' };
      })
      .then((answered) => send(reply, answered));
  });
  boundConnections(server, BOUNDS);
  return server;
}

async function answer(request: IncomingMessage, options: AddOptions): Promise<WitnessAnswer> {
  if (request.url !== PATH) return { status: 404, type: TEXT, body: `A witness only answers POST ${PATH}.\n` };
  if (request.method !== 'POST') return { status: 405, type: TEXT, body: 'A checkpoint must be sent by POST.\n' };
  const body = await readUpTo(MOST_BYTES, request).catch(() => null);
  if (body === null) return { status: 400, type: TEXT, body: 'The checkpoint is incomplete.\n' };
  if (!body)
    return { status: 413, type: TEXT, body: `A checkpoint with its proof can have at most ${MOST_BYTES} bytes.\n` };
  return addCheckpoint(body, options);
}

function send(reply: ServerResponse, { status, type, body }: WitnessAnswer): void {
  // An unread body remainder makes the connection unusable.
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(status === 413 && { connection: 'close' }),
  };
  reply.writeHead(status, headers).end(body);
}

const MOST_CONNECTIONS = 200;
const HEADERS_MS = 10_000;
/** Idle timeout, also for clients that don't read the answer. */
const STILL_MS = 30_000;

interface ConnectionBounds {
  /** Concurrent connections; an IPv6 /64 counts as one address. */
  readonly ofOneAddress: number;
  readonly requestMs: number;
}

/** Protects small servers that are open to strangers. */
function boundConnections(server: Server, { ofOneAddress, requestMs }: ConnectionBounds): void {
  server.maxConnections = MOST_CONNECTIONS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = requestMs;
  server.setTimeout(STILL_MS);
  limitConnections(server, ofOneAddress);
}
