import { addResult, fairDraw, playerState, voidDraw } from '@drawhouse/contract/draws/draws';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 500 });
});
afterAll(() => t.close());

const game = { gameId: 'funtargetbingo' };
const pair = () => ({ ...game, adminId: net.admin._id });
const publicly = (drawId: string) => t.ok(fairDraw, { params: { drawId } });
const running = async (): Promise<string> => (await t.ok(playerState, { query: game }, net.user)).draw!._id;

/** A stranger sees only these. Additions must reveal no person, network or stake. */
const TOLD = [
  'success',
  'drawId',
  'gameId',
  'gameName',
  'family',
  'digits',
  'number',
  'status',
  'opensAt',
  'closesAt',
  'drawsAt',
  'resultMode',
  'manualClaims',
  'beacons',
  'wouldHaveBeen',
  'commitment',
  'rulesVersion',
  'unitPrice',
  'pays',
  'weights',
  'ticketRoot',
  'tickets',
  'ticketsCleared',
  'seed',
  'voidCause',
  'undone',
  'result',
  'resultLabel',
  'booster',
  'source',
  'outside',
  'enteredBy',
  'corrections',
];

async function expectNobodyIn(answer: object): Promise<void> {
  expect(Object.keys(answer).toSorted()).toEqual(TOLD.toSorted());
  const text = JSON.stringify(answer);
  for (const account of [net.superadmin, net.admin, net.retailer, net.user])
    for (const trace of [account._id, account.username]) expect(text).not.toContain(trace);
}

it('shows only the commitment of an open draw', async () => {
  await t.bet(net.user, { 7: 10 });
  const answer = await publicly(await running());
  expect(answer).toMatchObject({ status: 'open', seed: null, result: null, resultLabel: null, source: null });
  expect(answer).toMatchObject({
    ticketRoot: null,
    tickets: null,
    unitPrice: 1,
    pays: { number: 9 },
  });
  await expectNobodyIn(answer);
});

it('hides a saved result until settlement, and its author always', async () => {
  const drawId = await running();
  await t.ok(addResult, { body: { ...pair(), result: '4', boosterValue: 3 } }, net.admin);
  const saved = await publicly(drawId);
  expect(saved).toMatchObject({ status: 'closed', tickets: 1, seed: null, result: null, booster: null, source: null });
  await expectNobodyIn(saved);

  await t.finishDraw();
  const settled = await publicly(drawId);
  expect(settled).toMatchObject({ status: 'settled', source: 'declared', result: { drawno: '4' }, booster: 3 });
  expect(verifyDraw(settled as unknown as PublishedDraw)).toEqual({ ok: true });
  await expectNobodyIn(settled);
});

it("publishes a void draw's seed, without result or reason", async () => {
  const drawId = await running();
  await t.ok(voidDraw, { body: { ...pair(), reason: 'Called off by the-floor' } }, net.admin);
  const answer = await publicly(drawId);
  expect(answer).toMatchObject({ status: 'void', result: null, booster: null, source: null });
  expect(answer.seed).toMatch(/^[0-9a-f]{64}$/);
  expect(verifyDraw(answer as unknown as PublishedDraw)).toEqual({ ok: true });
  expect(JSON.stringify(answer)).not.toContain('the-floor');
  await expectNobodyIn(answer);
});

it('answers everyone the same and refuses an invalid id', async () => {
  const drawId = await running();
  const toAll = await Promise.all(
    [undefined, net.user, net.admin].map((by) => t.ok(fairDraw, { params: { drawId } }, by)),
  );
  expect(toAll).toEqual([toAll[0], toAll[0], toAll[0]]);
  expect(await t.send('GET', `/api/fair/draw/${net.admin._id}`)).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  });
  expect(await t.send('GET', '/api/fair/draw/7')).toMatchObject({
    status: 400,
    body: { fields: { drawId: expect.stringContaining('An id looks like') } },
  });
});
