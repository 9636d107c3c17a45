import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import { GAMES, RestoreWorld } from '../../../test/worlds/restore-world.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';

let t: TestApp;
let seals: TestSeals;
beforeAll(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
});
afterAll(async () => {
  await t.close();
  await seals.remove();
});

it('accepts a cleared draw sealed as open, and names another missing one', async () => {
  const net = await t.network({ credit: 300, games: GAMES.slice(0, 1) });
  const world = new RestoreWorld(t, net, await t.network({}));
  await t.bet(net.user, { 3: 4 });
  await seals.seal();
  await t.finishDraw();
  await world.take({ do: 'clear', byRoot: false, whom: 25, amount: 27 });
  const ofNetwork = `network_id = ${net.networkId}`;
  const [cleared] = await t.db.query<{ draws: number }>(
    `select sum(removed)::int as draws from clearings where ${ofNetwork} and model = 'draw'`,
  );
  expect(cleared!.draws).toBeGreaterThan(0);
  expect(await seals.problems()).toEqual([]);
  await seals.seal();
  expect(await seals.problems()).toEqual([]);

  const { sealed } = await seals.foundAfter(`delete from draws where ${ofNetwork}`);
  expect(sealed).toContainEqual(
    expect.stringMatching(/^draws \(network_id \d+, id .*\) was removed after it was sealed, as record \d+$/),
  );
});
