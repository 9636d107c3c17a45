import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { parsePath } from '@drawhouse/tlog/log-proofs';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { cosignText } from '@drawhouse/tlog/note-signatures';
import { formatSignatureLine, parseNote } from '@drawhouse/tlog/signed-notes';
import { EMPTY_EDGE, rootOfEdge } from '@drawhouse/tlog/tile-writer';
import { isConsistent, type TreeHead } from '@drawhouse/tlog/verify-proofs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import { makeSealsPlace, withNewestLog } from '../../../test/worlds/sealed-app.ts';
import { askWitnesses } from './ask-witnesses.ts';

import { readCosigned, type LogFiles } from './co-sign.ts';
import type { Witness } from '../../config/outside-services.ts';

const turn = (): Promise<void> => new Promise((begin) => void setImmediate(begin));

type Answering = (request: IncomingMessage, reply: ServerResponse, body: string) => void;

let t: TestApp;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;
let front: Server;
let witness: Witness;
let instead: Answering | undefined;
const asked: string[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  place = await makeSealsPlace();
  front = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  witness = { key: noteKey(NAME, SIGNATURE_TYPES.cosignature, signer.publicKey), url };
});
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await place.remove();
  await t.close();
});
beforeEach(() => void vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal));
afterEach(() => {
  instead = undefined;
  asked.length = 0;
  vi.restoreAllMocks();
});

async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  let body = '';
  for await (const part of request as AsyncIterable<Buffer>) body += part.toString();
  asked.push(body.slice(0, body.indexOf('\n')));
  if (instead) return instead(request, reply, body);
  const [status, text] = request.url === '/add-checkpoint' ? cosigned(body) : [404, ''];
  reply.writeHead(status).end(text);
}

const NAME = 'witness.example';
const signer = signerOf(newPrivateKey());
let last: TreeHead = { size: 0, root: rootOfEdge(EMPTY_EDGE) };

/** C2SP tlog-witness. */
function cosigned(body: string): [status: number, text: string] {
  const end = body.indexOf('\n\n');
  const [old, ...lines] = body.slice(0, end).split('\n');
  const { text } = parseNote(body.slice(end + 2));
  const checkpoint = parseCheckpoint(text);
  if (old !== `old ${last.size}`) return [409, `${last.size}\n`];
  if (!isConsistent(last, checkpoint, parsePath(lines))) return [422, ''];
  last = checkpoint;
  return [200, formatSignatureLine(cosignText(text, NAME, signer, Math.floor(Date.now() / 1_000)))];
}

async function sealed(): Promise<{ log: LogFiles; note: string }> {
  const name = `asked ${randomUUID()}`;
  await t.db.query("insert into pinned_settings (name, value) values ($1, 'x')", [name]);
  return withNewestLog(t, place, async ({ log, look }) => {
    const note = (await look()).checkpoint!;
    const { folder, origin, key, state } = log;
    return { log: { folder, origin, key, size: state.size }, note };
  });
}

function asking(stopping = new AbortController()) {
  const reports: [string, string | undefined][] = [];
  let onAnswer: () => void = () => {};
  const ask = askWitnesses([witness], stopping.signal, (...one) => {
    reports.push(one);
    onAnswer();
  });
  const next = async (log: LogFiles, note: string): Promise<string | undefined> => {
    const news = new Promise<void>((done) => (onAnswer = done));
    ask(log, note);
    await news;
    await turn();
    return reports.at(-1)![1];
  };
  return { ask, next, told: reports, stopping };
}

const answered =
  (status: number, body = '', headers = {}): Answering =>
  (_request, reply) =>
    void reply.writeHead(status, headers).end(body);

describe('asking a witness', () => {
  it('stores its cosignature, starting from its own size', async () => {
    const { next } = asking();
    const first = await sealed();
    instead = answered(503, 'Come again.');
    expect(await next(first.log, first.note)).toBe('It answered 503: Come again.');
    instead = undefined;
    expect(await next(first.log, first.note)).toBeUndefined();
    expect(await readCosigned(first.log.folder, [witness])).toMatchObject([{ size: first.log.size }]);
    // The server has forgotten its cosignatures; the witness has not.
    await rm(join(first.log.folder, 'witnesses'), { recursive: true });
    const more = await sealed();
    instead = answered(503);
    await next(more.log, more.note);
    [instead, asked.length] = [undefined, 0];
    expect(await next(more.log, more.note)).toBeUndefined();
    expect(asked).toEqual(['old 0', `old ${first.log.size}`]);
    expect(await readCosigned(more.log.folder, [witness])).toMatchObject([{ size: more.log.size }]);
  });

  it.each<[string, Answering, RegExp, number]>([
    ['an unknown key', answered(403, 'no\u0007pe\nmore'), /^It answered 403: no pe$/, 1],
    ['an invalid size', answered(409, 'many\n'), /^It answered 409: many$/, 1],
    ['a size beyond the tree', answered(409, '99999999\n'), /^It answered 409: 99999999$/, 1],
    ['a repeated other size', answered(409, '0\n'), /^It answered 409: 0$/, 2],
    [
      'a malformed co-signature',
      answered(200, '— witness.example AAAAAAAA\n'),
      /^It did not answer with a valid co-signature/,
      1,
    ],
    ['an oversized answer', answered(200, '— w AAAAAAAA\n'.repeat(5_000)), /with a valid co-signature/, 1],
    ['a redirect', answered(302, '', { location: '/elsewhere' }), /^It did not answer: .*redirect/, 1],
    ['a broken connection', (request) => void request.socket.destroy(), /^It did not answer: ./, 1],
  ])('answering %s is reported and stores nothing', async (_what, given, expected, calls) => {
    const { next, told } = asking();
    const { log, note } = await sealed();
    const before = await readCosigned(log.folder, [witness]);
    instead = given;
    expect(await next(log, note)).toMatch(expected);
    expect(asked).toHaveLength(calls);
    expect(told).toHaveLength(1);
    expect(await readCosigned(log.folder, [witness])).toEqual(before);
  });

  it('sends a hanging witness one request at a time, with a five-second timeout, and retries', async () => {
    const { ask, next, told } = asking();
    const { log, note } = await sealed();
    const patience = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    instead = () => {
      ask(log, note);
      patience.abort(new DOMException('It took too long.', 'TimeoutError'));
    };
    expect(await next(log, note)).toBe('It did not answer: It took too long.');
    expect(asked).toHaveLength(1);
    expect(timeout).toHaveBeenCalledWith(5_000);
    timeout.mockReturnValue(new AbortController().signal);
    instead = undefined;
    expect(await next(log, note)).toBeUndefined();
    expect(told).toHaveLength(2);
  });

  it('sends only the newest checkpoint after a pending request', async () => {
    const { ask, next, told } = asking();
    const first = await sealed();
    const more = [await sealed(), await sealed()];
    instead = (request, reply, body) => {
      instead = undefined;
      for (const { log, note } of more) ask(log, note);
      answered(503)(request, reply, body);
    };
    expect(await next(first.log, first.note)).toBe('It answered 503: ');
    await expect.poll(() => told).toHaveLength(2);
    expect(told[1]).toEqual([witness.key.name, undefined]);
    expect(asked).toHaveLength(2);
    expect(await readCosigned(first.log.folder, [witness])).toMatchObject([{ size: more[1]!.log.size }]);
  });

  it('reports nothing after the server stops', async () => {
    const { ask, told, stopping } = asking();
    const { log, note } = await sealed();
    const gone = new Promise<void>((done) => {
      instead = (request) => {
        request.socket.once('close', () => done());
        stopping.abort();
      };
    });
    ask(log, note);
    await gone;
    await turn();
    expect(told).toEqual([]);
  });
});
