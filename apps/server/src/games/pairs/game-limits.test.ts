import { playerState } from '@drawhouse/contract/draws/draws';
import { listLimits, setLimits, type GameLimits } from '@drawhouse/contract/games/limits';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { UNKNOWN_ID } from '../../../test/routes/contract-routes.ts';
import { onFreshNetworks, type Network, type Reply, type SignedIn, type TestApp } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
onFreshNetworks((app, network) => {
  t = app;
  net = network;
});

const read = async (as: SignedIn, adminId: string): Promise<GameLimits[]> =>
  (await t.ok(listLimits, { params: { adminId } }, as)).data;
const set = (as: SignedIn, adminId: string, updates: object[]): Promise<Reply<typeof setLimits>> =>
  t.call(setLimits, { params: { adminId }, body: { updates } as never }, as);
const none = { perNumber: null, perTicket: null, perPlayer: null };
let id: string;
beforeEach(async () => {
  id = (await read(net.admin, net.admin._id))[0]!.id;
});

const everything = (): Promise<object[]> =>
  t.db.query(
    'select (select json_agg(ng order by network_id, game_id) from network_games ng)::text as games, (select ' +
      'count(*) from activity) as activity',
  );
const lastLogged = async () =>
  (
    await t.db.query<{ subject: string; detail: object }>(
      `select subject, detail - 'wrote' as detail from activity where detail ? 'limits' order by id desc limit 1`,
    )
  )[0];

it('start unset, are set by admin or superadmin, cleared by null, and kept if omitted', async () => {
  const game = { id, gameId: 'funtargetbingo', gameName: 'Fun Target Bingo', unitPrice: 1 };
  expect(await read(net.superadmin, net.admin._id)).toEqual([{ ...game, ...none }]);
  const first = await set(net.admin, net.admin._id, [{ id, perNumber: 500, perTicket: 1.01 }]);
  expect([first.status, first.body.data]).toEqual([
    200,
    [{ ...game, perNumber: 500, perTicket: 1.01, perPlayer: null }],
  ]);
  expect(await lastLogged()).toEqual({
    subject: `Set limits of Fun Target Bingo of ${net.admin.username}`,
    detail: {
      adminId: net.admin._id,
      adminName: net.admin.username,
      limits: [
        {
          gameId: 'funtargetbingo',
          gameName: 'Fun Target Bingo',
          before: none,
          after: { perNumber: 500, perTicket: 1.01, perPlayer: null },
        },
      ],
    },
  });
  await set(net.superadmin, net.admin._id, [{ id, perNumber: null, perPlayer: 90_071_992_547_409.91 }]);
  const now = { ...game, perNumber: null, perTicket: 1.01, perPlayer: 90_071_992_547_409.91 };
  expect(await read(net.admin, net.admin._id)).toEqual([now]);
  const before = await everything();
  expect((await set(net.admin, net.admin._id, [{ id, perTicket: 1.01 }])).status).toBe(200);
  expect(await everything()).toEqual(before);
});

it('the log names the game whose limits changed, not the first one sent', async () => {
  const two = await t.network({ games: ['funtargetbingo', 'titlisorrat'] });
  const [bingo, titli] = await read(two.admin, two.admin._id);
  const updates = [
    { id: bingo!.id, perNumber: null },
    { id: titli!.id, perNumber: 5 },
  ];
  expect((await set(two.admin, two.admin._id, updates)).status).toBe(200);
  expect(await lastLogged()).toMatchObject({
    subject: `Set limits of Titli Sorrat of ${two.admin.username}`,
    detail: { limits: [{ gameId: 'titlisorrat' }] },
  });
});

it('are shown to players before any bet', async () => {
  await set(net.admin, net.admin._id, [{ id, perNumber: 500, perPlayer: 12.5 }]);
  const { limits } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
  expect(limits).toEqual({ perNumber: 500, perTicket: null, perPlayer: 12.5 });
});

it("refuses a ticket limit above the player's limit per draw, together or in sequence", async () => {
  expect((await set(net.admin, net.admin._id, [{ id, perTicket: 100, perPlayer: 100 }])).status).toBe(200);
  const before = await everything();
  for (const update of [{ perTicket: 100.01 }, { perPlayer: 99.99 }, { perTicket: 2, perPlayer: 1 }]) {
    const reply = await set(net.admin, net.admin._id, [{ id, ...update }]);
    expect([reply.status, reply.body.fields?.['updates.0.perTicket']]).toEqual([
      400,
      expect.stringMatching(/^A player can bet .* on one draw/),
    ]);
  }
  expect(await everything()).toEqual(before);
});

it('refuses a limit below the unit price, by name', async () => {
  const before = await everything();
  for (const name of ['perNumber', 'perTicket', 'perPlayer']) {
    const reply = await set(net.admin, net.admin._id, [{ id, [name]: 0.99 }]);
    expect([reply.status, reply.body.fields]).toEqual([
      400,
      { [`updates.0.${name}`]: 'This is less than one unit, 1. Enter at least that, or leave it empty for no limit' },
    ]);
  }
  expect(await everything()).toEqual(before);
  expect((await set(net.admin, net.admin._id, [{ id, perNumber: 1, perTicket: 1, perPlayer: 1 }])).status).toBe(200);
});

it('an unchanged limit stays valid when the unit price rises', async () => {
  await set(net.admin, net.admin._id, [{ id, perNumber: 5 }]);
  const priceOf = (price: number) =>
    t.byHand('update games set unit_price = $1 where game_key = $2', [price, 'funtargetbingo']);
  await priceOf(1000);
  onTestFinished(() => priceOf(100));
  expect((await set(net.admin, net.admin._id, [{ id, perTicket: 10 }])).status).toBe(200);
  expect((await set(net.admin, net.admin._id, [{ id, perNumber: 9.99 }])).status).toBe(400);
});

it('an unset limit changes nothing', async () => {
  const before = await everything();
  for (const wrong of [0, -1, 0.001, 90_071_992_547_410, '5', '', true]) {
    const reply = await set(net.admin, net.admin._id, [{ id, perNumber: 5, perTicket: wrong }]);
    expect([wrong, reply.status, Object.keys(reply.body.fields!)]).toEqual([wrong, 400, ['updates.0.perTicket']]);
    expect(reply.body.fields!['updates.0.perTicket']).toContain('above 0 with at most 2 decimals');
  }
  expect(await everything()).toEqual(before);
});

it("apply to the caller's subtree only, all or none", async () => {
  t.clock.advance(1000);
  const other = await t.network({ credit: 0 });
  const foreign = (await read(other.admin, other.admin._id))[0]!.id;
  const before = await everything();
  const wanted = { id, perNumber: 5 };
  for (const [as, adminId, updates, status] of [
    [net.admin, other.admin._id, [{ id: foreign, perNumber: 5 }], 404],
    [net.admin, net.admin._id, [wanted, { id: foreign, perNumber: 5 }], 404],
    [net.superadmin, net.admin._id, [wanted, { id: foreign, perNumber: 5 }], 404],
    [net.superadmin, net.admin._id, [wanted, { id: UNKNOWN_ID, perNumber: 5 }], 404],
    [net.superadmin, net.superadmin._id, [wanted], 404],
    [net.superadmin, net.distributor._id, [wanted], 404],
    [net.admin, net.admin._id, [wanted, wanted], 400],
    [net.admin, net.admin._id, [], 400],
    [net.superdistributor, net.admin._id, [wanted], 403],
    [net.user, net.admin._id, [wanted], 403],
  ] as const)
    expect((await set(as, adminId, [...updates])).status, `${as.role} of ${adminId}`).toBe(status);
  for (const [as, adminId, status] of [
    [net.admin, other.admin._id, 404],
    [net.superadmin, UNKNOWN_ID, 404],
    [net.retailer, net.admin._id, 403],
  ] as const)
    expect((await t.call(listLimits, { params: { adminId } }, as)).status).toBe(status);
  expect(await everything()).toEqual(before);
});
