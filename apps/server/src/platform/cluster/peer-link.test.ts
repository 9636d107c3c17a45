import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPeer, listenAt, servePeers, type Peer, type PeerAnswer } from './peer-link.ts';

let folder: string;
let path: string;
let peer: Peer<number, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peers-'));
  path = join(folder, 'bets-0');
  peer = createPeer(path);
});
afterEach(async () => {
  peer.close();
  await rm(folder, { recursive: true });
});

const ask = (request: number): Promise<PeerAnswer<string>> =>
  new Promise((resolve) => {
    peer.ask(request, resolve);
  });
const askMany = (from: number, count: number) =>
  Promise.all(Array.from({ length: count }, (_, nth) => ask(from + nth)));

it('hands over requests in order and returns each its own answer', async () => {
  const seen: number[] = [];
  const server = await servePeers(path, (request, answer) => {
    seen.push(request as number);
    setImmediate(() => answer(`${String(request)} ${'é'.repeat(10_000)}`));
  });
  const answers = await askMany(0, 100);
  expect(seen).toEqual([...answers.keys()]);
  expect(answers.map((one) => Number.parseInt((one as { answer: string }).answer, 10))).toEqual(seen);
  expect(peer.waiting()).toBe(0);
  await server.close();
});

it('tells a request that was never begun from one whose outcome is unknown', async () => {
  expect(await ask(1)).toBe('untouched');
  const sockets: Socket[] = [];
  const dying = createServer((socket) => sockets.push(socket));
  await listenAt(dying, path);
  const knock = (): number => {
    peer.ask(2, () => {});
    return sockets.length;
  };
  await expect.poll(knock).toBe(1);
  const lost = ask(3);
  sockets[0]!.destroy();
  expect(await lost).toBe('lost');
  dying.close();
});

it('answers all it has begun before it stops, and begins nothing more', async () => {
  for (let round = 0; round < 6; round++) {
    const begun = new Set<unknown>();
    const server = await servePeers(path, (request, answer) => {
      begun.add(request);
      setTimeout(() => answer('done'), 1);
    });
    await expect.poll(async () => await ask(-1)).toEqual({ answer: 'done' });
    const answers = askMany(0, 10);
    const more = new Promise<PeerAnswer<string>[]>((resolve) =>
      setImmediate(() => setImmediate(() => resolve(askMany(10, 10)))),
    );
    if (round % 2 === 0) await new Promise<void>((next) => setImmediate(next));
    await server.close();
    for (const [request, found] of [...(await answers), ...(await more)].entries())
      expect(found).toEqual(begun.has(request) ? { answer: 'done' } : 'untouched');
  }
});
