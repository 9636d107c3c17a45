import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { boundConnections } from '../bound-connections.ts';
import type { AddOptions, WitnessAnswer } from './add-checkpoint.ts';
import { addCheckpoint } from './add-checkpoint.ts';

/** A checkpoint with 63 hashes takes some kilobytes, with many cosignatures some more. */
const MOST_BYTES = 64 * 1024;
/** Several logs may stand behind one address; whoever sends nothing for so long is cut off. */
const BOUNDS = { ofOneAddress: 50, requestMs: 10_000 };
const PATH = '/add-checkpoint';
const TEXT = 'text/plain; charset=utf-8';

/** Serves `POST /add-checkpoint` (C2SP tlog-witness). What goes wrong by itself, as a full disk, is told to `failed` and answered with 500. */
export function createWitnessServer(options: AddOptions, failed: (error: Error) => void): Server {
  const server = createServer((request, reply) => {
    void answer(request, options)
      .catch((error: Error): WitnessAnswer => {
        failed(error);
        return { status: 500, type: TEXT, body: 'The witness can’t write. Nothing was cosigned.\n' };
      })
      .then((given) => send(reply, given));
  });
  boundConnections(server, BOUNDS);
  return server;
}

async function answer(request: IncomingMessage, options: AddOptions): Promise<WitnessAnswer> {
  if (request.url !== PATH) return { status: 404, type: TEXT, body: `A witness answers POST ${PATH} alone.\n` };
  if (request.method !== 'POST') return { status: 405, type: TEXT, body: `A checkpoint is sent by POST.\n` };
  const body = await read(request).catch(() => undefined);
  if (body === undefined) return { status: 400, type: TEXT, body: 'The checkpoint did not come whole.\n' };
  if (!body) return { status: 413, type: TEXT, body: `A checkpoint with its proof has at most ${MOST_BYTES} bytes.\n` };
  return addCheckpoint(body, options);
}

/** The body of a call; null where it is too long. */
async function read(request: IncomingMessage): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function send(reply: ServerResponse, { status, type, body }: WitnessAnswer): void {
  // Of a body that is too long not all was read: the connection can't be used again.
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(status === 413 && { connection: 'close' }),
  };
  reply.writeHead(status, headers).end(body);
}
