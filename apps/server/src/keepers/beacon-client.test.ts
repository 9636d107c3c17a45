import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QUICKNET } from '@drawhouse/rules/drand-chain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRound, WrongRound } from './beacon-client.ts';
import { callJson, NoAnswer } from './keeper-client.ts';

/** Rounds as they were recorded: of quicknet, and one of another chain of its scheme (packages/rules/src/drand.test.ts says where they are from). */
const ROUND_1000 = {
  round: 1_000,
  signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};
const ROUND_1001 = {
  round: 1_001,
  signature: 'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41',
};
const OF_ANOTHER_CHAIN = {
  round: 38,
  signature: '95c93585c513ebbcb4777ff15599b3140e5ec0295faa0e483f3deadd88fa6d43f0d3703e3a4ce106e8fd6c6987f32126',
};

let answers: unknown;
let status = 200;
const relay = createServer((_, response) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
});
let url = '';
beforeAll(async () => {
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
});
afterAll(() => void relay.close());

it('takes a recorded round that is the chain’s', async () => {
  answers = ROUND_1000;
  expect((await findRound(url, QUICKNET, 1_000n, 2_000)).toString('hex')).toBe(ROUND_1000.signature);
});

it.each<[string, bigint, object, RegExp]>([
  ['another round', 1_000n, ROUND_1001, /answered round 1001 for round 1000/],
  ['the signature of another round', 1_000n, { ...ROUND_1001, round: 1_000 }, /signature of round 1000 is not that/],
  ['a round of another chain', 38n, OF_ANOTHER_CHAIN, /signature of round 38 is not that of the chain 52db9ba7/],
])('tells wrong rounds from none, with what was answered: %s', async (_, round, answer, reason) => {
  answers = answer;
  const error = await findRound(url, QUICKNET, round, 2_000).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(WrongRound);
  expect((error as WrongRound).message).toMatch(reason);
  expect(JSON.parse((error as WrongRound).answer)).toEqual(answer);
});

it('takes what is no round at all for no answer', async () => {
  answers = { error: 'later' };
  const error = await findRound(url, QUICKNET, 1_000n, 2_000).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NoAnswer);
  expect(error).not.toBeInstanceOf(WrongRound);
});

it.each<[string, unknown, string]>([
  [
    'the sentence of a keeper',
    { code: 'FAILED', message: 'Its folder is full.' },
    'it answers 500: Its folder is full.',
  ],
  ['what is none', ['Bad gateway'], 'it answers 500: ["Bad gateway"]'],
  ['a part of what is long', 'x'.repeat(900), `it answers 500: "${'x'.repeat(199)}`],
])('says why there is no answer: %s', async (_, answer, said) => {
  [answers, status] = [answer, 500];
  const error = await callJson(url, { timeoutMs: 2_000 }).catch((caught: unknown) => caught);
  status = 200;
  expect(error).toBeInstanceOf(NoAnswer);
  expect((error as NoAnswer).message).toBe(said);
});
