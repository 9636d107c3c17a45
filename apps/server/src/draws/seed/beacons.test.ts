import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QUICKNET } from '@drawhouse/rules/fair/beacon-rounds';
import { beaconPublicKey, newBeaconKey, signRound } from '@drawhouse/rules/fair/beacon-signature';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { NoAnswer, readSignature, readTimes } from './beacons.ts';

const secret = newBeaconKey();
const publicKey = beaconPublicKey(secret);
const info = { public_key: publicKey, genesis_time: 1_700_000_000, period: 3, schemeID: 'bls-unchained-g1-rfc9380' };
let server: Server;
let answer: (...given: Parameters<RequestListener>) => unknown;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const says =
  (body: object, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(JSON.stringify(body));
const signatureOf = (round: number) => ({ round, signature: signRound(secret, round) });
function patience() {
  const controller = new AbortController();
  const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
  return { asked, runOut: () => controller.abort(new DOMException('Out', 'TimeoutError')) };
}

it("reads a beacon's times and a round's signature", async () => {
  answer = says(info);
  expect(await readTimes({ url, publicKey })).toEqual({ publicKey, genesisTime: 1_700_000_000, period: 3 });
  answer = says(signatureOf(7));
  expect((await readSignature({ url, publicKey }, 7)).toString('hex')).toBe(signRound(secret, 7));
});

it.each<[string, object, RegExp]>([
  ['of another key', { ...info, public_key: QUICKNET.publicKey }, /its public key differs/],
  ['of another scheme', { ...info, schemeID: 'pedersen-bls-chained' }, /scheme is pedersen-bls-chained/],
  ['without times', { ...info, period: 0 }, /its round times are missing/],
])('refuses a beacon %s', async (_what, body, expected) => {
  answer = says(body);
  await expect(readTimes({ url, publicKey })).rejects.toThrow(expected);
});

it.each<[string, RequestListener, RegExp]>([
  ['early: the round is to come', says({ error: 'to come' }, 404), /it answered 404/],
  ['of another round', says(signatureOf(8)), /it answered round 8 for round 7/],
  ['wrong', says({ round: 7, signature: signRound(secret, 8) }), /its signature of round 7 is wrong/],
  ['of another key', says({ round: 7, signature: signRound(newBeaconKey(), 7) }), /its signature of round 7 is wrong/],
  ['no object', says([]), /round undefined/],
  ['no JSON', (_request, response) => void response.end('Hello'), /JSON/],
  ['cut off', (request) => void request.socket.destroy(), /./],
  ['longer than any value', says({ fill: 'x'.repeat(10_000) }), /its answer exceeds 10000 bytes/],
])('refuses an answer with %s', async (_what, given, expected) => {
  answer = given;
  const refused = readSignature({ url, publicKey }, 7);
  await expect(refused).rejects.toThrow(expected);
  await expect(refused).rejects.toThrow(NoAnswer);
});

it('accepts a slow answer in pieces within its timeout', async () => {
  patience();
  answer = async (_request, response) => {
    for (const piece of JSON.stringify(signatureOf(7)).match(/.{1,20}/g)!)
      await new Promise<void>((written) => void response.write(piece, () => written()));
    response.end();
  };
  expect(await readSignature({ url, publicKey }, 7)).toHaveLength(48);
});

it('gives up on a silent beacon', async () => {
  const { asked, runOut } = patience();
  answer = runOut;
  await expect(readSignature({ url, publicKey }, 7)).rejects.toThrow('no answer within 8 seconds');
  expect(asked).toHaveBeenCalledWith(8_000);
});

it('gives up on a beacon dripping bytes', async () => {
  const { runOut } = patience();
  answer = (_request, response) => {
    response.writeHead(200);
    response.write('{', () => setImmediate(runOut));
  };
  await expect(readSignature({ url, publicKey }, 7)).rejects.toThrow('no answer within 8 seconds');
});
