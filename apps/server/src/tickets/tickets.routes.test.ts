import { playerState } from '@drawhouse/contract/draws/draws';
import { betOfRequest } from '@drawhouse/contract/tickets/tickets';
import { beforeEach, expect, it } from 'vitest';
import { onFreshNetworks, type Network, type Reply, type SignedIn, type TestApp } from '../../test/harness.ts';
import { holdTable } from '../../test/statements/hold-table.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => ([t, net] = [app, network]), { credit: 100 });
beforeEach(() => t.finishDraw());

const ask = (requestId: string, by: SignedIn = net.user): Promise<Reply<typeof betOfRequest>> =>
  t.call(betOfRequest, { params: { requestId } }, by);

it("returns the request's ticket, in its current state", async () => {
  const requestId = 'यह / मेरा दाँव है? 100 %'.padEnd(64, 'क');
  const { body } = await t.bet(net.user, { 7: 2 }, { requestId });
  expect((await ask(requestId)).body.ticket).toEqual(body.ticket);
  await t.finishDraw();
  expect((await ask(` ${requestId} `)).body.ticket).toMatchObject({ _id: body.ticket._id, status: 'settled' });
});

it('returns none if nothing was placed, or only by another player', async () => {
  const other = await t.create(net.retailer);
  await t.bet(net.user, { 7: 1 }, { requestId: 'mine' });
  await t.bet(net.user, { 7: 1_000 }, { requestId: 'too much' });
  expect(await ask('too much')).toMatchObject({ status: 404, body: { code: 'NOT_PLACED' } });
  expect(await ask('mine', other)).toMatchObject({ status: 404, body: { code: 'NOT_PLACED' } });
  expect(await ask('mine', net.retailer)).toMatchObject({ status: 403 });
});

it('is final once betting on the named draw has closed', async () => {
  const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
  t.clock.set(new Date(draw!.closesAt));
  expect(await ask('late')).toMatchObject({ status: 404, body: { code: 'NOT_PLACED' } });
  const late = await t.bet(net.user, { 7: 1 }, { requestId: 'late', drawId: draw!._id });
  expect(late.body.code).toBe('BETTING_CLOSED');
  expect((await ask('late')).body.code).toBe('NOT_PLACED');
});

it('waits while a bet of the player is in progress, so none follows a negative answer', async () => {
  const release = await holdTable(t.database.ownerUrl, 'exposures');
  const placed = t.bet(net.user, { 7: 1 }, { requestId: 'under way' });
  try {
    await untilWaiting(t);
    const asked = ask('under way');
    await untilWaiting(t, 2);
    await release();
    const { ticket } = (await placed).body;
    expect((await asked).body.ticket).toEqual(ticket);
  } finally {
    await release();
  }
});
