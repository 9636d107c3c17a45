import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestClock } from '../../test/harness.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Directory, Peer } from '../platform/services.ts';
import { createAskCell, serveCellCalls, signatureOfCall, type CellRead, type SignedCall } from './call-cell.ts';

const SECRET = crypto.randomUUID();
const READ: CellRead = { path: 'find', params: {}, query: {}, caller: crypto.randomUUID(), permissions: [] };
const NOTHING = { success: true };

const clock = new TestClock();
let closeAll: (() => Promise<unknown>)[];
beforeEach(() => (closeAll = []));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closeAll) await close();
});

interface Served {
  readonly secret?: () => Promise<string | undefined>;
  readonly onCall?: () => unknown;
}

/** Listens as cell-2. */
async function serve({ secret = async () => SECRET, onCall = () => {} }: Served = {}) {
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof CallError ? error.status : 500).send({ error: String(error) }),
  );
  const answers = vi.fn<(read: CellRead) => Promise<object>>(async () => NOTHING);
  app.addHook('preHandler', async () => void onCall());
  serveCellCalls(app, { clock, directory: { cell: 'cell-2', ownSecret: secret } as Directory }, answers);
  await app.listen({ port: 0, host: '127.0.0.1' });
  closeAll.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const send = async (body: object): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/cells/read', payload: body })).statusCode;
  return { send, answers, address: `http://127.0.0.1:${port}` };
}

function signed(changed: Partial<SignedCall> = {}, secret = SECRET): SignedCall {
  const call = { from: 'cell-1', at: clock.now().getTime(), id: crypto.randomUUID(), read: JSON.stringify(READ) };
  const all = { ...call, ...changed };
  return { signature: signatureOfCall(secret, 'cell-2', all), ...all };
}

const caller = (at = clock) => createAskCell({ clock: at, directory: { cell: 'cell-1' } as Directory });
const peerAt = (address: string, secret = SECRET): Peer => ({
  cell: 'cell-2',
  address,
  secret,
  firstNetwork: 2,
  networks: [],
});

async function serveBytes(text: string, signature: string): Promise<string> {
  const headers = { 'cell-signature': signature };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAll.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('refuses every signature of a stranger', async () => {
  const { send, answers } = await serve();
  const signatures = ['', 'x', 'é'.repeat(43), '😀'.repeat(21), 'A'.repeat(43), '\0'.repeat(43), signed().signature];
  for (const signature of signatures) expect([signature, await send(signed({ signature }))]).toEqual([signature, 404]);
  expect(await send(signed({}, crypto.randomUUID()))).toBe(404);
  expect(answers).not.toHaveBeenCalled();
});

it('refuses calls of a clock that is an hour off, and repeated ones', async () => {
  const { send, answers } = await serve();
  const now = clock.now().getTime();
  for (const at of [now - 3_600_000, now + 3_600_000, 0, Number.MAX_VALUE])
    expect(await send(signed({ at }))).toBe(404);
  expect(answers).not.toHaveBeenCalled();
  const call = signed();
  const statuses = await Promise.all(Array.from({ length: 50 }, () => send(call)));
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array.from({ length: 49 }, () => 404)]);
  clock.advance(30_000);
  expect(await send(call)).toBe(404);
  clock.advance(31_000);
  expect(await send(call)).toBe(404);
  expect(answers).toHaveBeenCalledOnce();
});

it('answers all first calls at once, and reads its secret once', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const secret = vi.fn<() => Promise<string>>(() => promise);
  let calls = 0;
  const onCall = (): unknown => ++calls === 50 && setImmediate(resolve, SECRET);
  const { send } = await serve({ secret, onCall });
  const statuses = await Promise.all(Array.from({ length: 50 }, () => send(signed())));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(secret).toHaveBeenCalledOnce();
});

it('asks and is answered', async () => {
  const { address, answers } = await serve();
  expect(await caller()(peerAt(address), READ)).toEqual(NOTHING);
  expect(answers).toHaveBeenCalledWith(READ, 'cell-1');
});

it('takes no answer that the other cell did not sign', async () => {
  const { address } = await serve();
  await expect(caller()(peerAt(address, crypto.randomUUID()), READ)).rejects.toThrow('no signed answer (status 404)');
  const late = new TestClock();
  late.advance(3_600_000);
  await expect(caller(late)(peerAt(address), READ)).rejects.toThrow('no signed answer (status 404)');
  for (const text of ['', 'null', '<html>', JSON.stringify({ answer: NOTHING })])
    for (const signature of ['', 'é'.repeat(43)])
      await expect(caller()(peerAt(await serveBytes(text, signature)), READ)).rejects.toThrow('no signed answer');
});

it('counts no failure of a cell that has told no address yet', async () => {
  const { address } = await serve();
  const ask = caller();
  await expect(ask({ ...peerAt(address), address: null }, READ)).rejects.toThrow('has told no address');
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  expect(await ask(peerAt(address), READ)).toEqual(NOTHING);
  expect(timeout.mock.calls).toEqual([[10_000]]);
});

it('waits for a slow answer of a cell that is alive after a failure', async () => {
  const { address, answers } = await serve();
  const ask = caller();
  answers.mockRejectedValueOnce(new Error('the database hangs'));
  await expect(ask(peerAt(address), READ)).rejects.toThrow('no signed answer (status 500)');
  const patience: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    patience.push(ms);
    return timeout(ms);
  });
  expect(await ask(peerAt(address), READ)).toEqual(NOTHING);
  expect(await ask(peerAt(address), READ)).toEqual(NOTHING);
  expect(patience).toEqual([1_000, 10_000, 10_000]);
});

it('waits long for a live but slow cell once in half a minute, even if other calls succeed', async () => {
  const { address, answers } = await serve();
  const ask = caller();
  const patience: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    patience.push(ms);
    return timeout(ms);
  });
  const fail = async (): Promise<void> => {
    answers.mockImplementation(async ({ path }) => {
      if (path === READ.path) throw new Error('slow');
      return NOTHING;
    });
    await expect(ask(peerAt(address), READ)).rejects.toThrow('no signed answer');
    answers.mockResolvedValue(NOTHING);
  };
  await fail();
  await fail();
  expect(await ask(peerAt(address), READ)).toEqual(NOTHING);
  await fail();
  expect(patience).toEqual([10_000, 1_000, 10_000, 1_000, 1_000]);
  clock.advance(30_000);
  expect(await ask(peerAt(address), READ)).toEqual(NOTHING);
  expect(patience.at(-1)).toBe(10_000);
});

it('becomes patient again after half a minute, however slow the cell was meanwhile', async () => {
  const patience: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    patience.push(ms);
    return AbortSignal.abort(new DOMException('slow', 'TimeoutError'));
  });
  const ask = caller();
  for (let calls = 0; calls < 4; calls++) {
    await expect(ask(peerAt('http://127.0.0.1:1'), READ)).rejects.toThrow('slow');
    clock.advance(16_000);
  }
  expect(patience).toEqual([10_000, 1_000, 10_000, 1_000]);
});
