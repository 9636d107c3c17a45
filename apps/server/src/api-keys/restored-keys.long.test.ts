import { apiKeys, changeApiKey, endApiKey, makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { exportBackup, importBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { uniqueIdOf } from '../../test/clients/program-keys.ts';

let t: TestApp;
let net: Network;
let nth = 0;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
});
afterAll(() => t.close());

const make = async (name: string) => t.ok(makeApiKey, { body: { name } }, net.admin);
const end = (keyId: string) => t.ok(endApiKey, { params: { keyId } }, net.admin);
async function lay(key: string): Promise<string> {
  const bet = {
    player: await uniqueIdOf(t, net.user),
    gameId: 'funtargetbingo',
    requestId: `r${nth++}`,
    lines: [{ drawno: '7', qty: 1 }],
  };
  const { body } = await t.call(placeBets, { body: { bets: [bet] } }, { token: key });
  const [answer] = body.answers ?? [];
  return answer ? (answer.success ? 'taken' : answer.code) : (body as unknown as { code: string }).code;
}

it('restore and undo revive no ended key, loosen no limit, and keep keys created since', async () => {
  const [ended, kept] = [await make('Ended'), await make('Kept')];
  expect(await lay(ended.key)).toBe('taken');
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await end(ended.data._id);
  await t.ok(changeApiKey, { params: { keyId: kept.data._id }, body: { name: 'Kept', stakePerDay: 1 } }, net.admin);
  const late = await make('Late');
  await t.ok(importBackup, { query: { folder } }, net.admin);
  Object.assign(net.admin, await t.signIn(net.admin.username));
  await t.app.tick();

  expect(await lay(ended.key)).toBe('API_KEY_ENDED');
  expect(await lay(late.key)).toBe('API_KEY_ENDED');
  await t.finishDraw();
  expect([await lay(kept.key), await lay(kept.key)]).toContain('API_KEY_LIMIT');
  const { data } = await t.ok(apiKeys, {}, net.admin);
  expect(data.map(({ name, endedAt }) => [name, endedAt !== null])).toEqual([
    ['Kept', false],
    ['Ended', true],
  ]);
  await t.expectBooksToBalance();

  await end(kept.data._id);
  await t.ok(undoRestore, { body: {} }, net.admin);
  Object.assign(net.admin, await t.signIn(net.admin.username));
  await t.finishDraw();
  expect([await lay(kept.key), await lay(late.key)]).toEqual(['API_KEY_ENDED', 'taken']);
  await t.expectBooksToBalance();
});

it('an ended key stays ended after restoring a backup unknown to the network', async () => {
  const restore = async (folder: string): Promise<void> => {
    await t.ok(importBackup, { query: { folder } }, net.admin);
    Object.assign(net.admin, await t.signIn(net.admin.username));
    await t.app.tick();
    await t.finishDraw();
  };
  const { folder: before } = await t.ok(exportBackup, {}, net.admin);
  const leaked = await make('Leaked');
  t.clock.advance(1_000);
  const { folder: withIt } = await t.ok(exportBackup, {}, net.admin);
  await end(leaked.data._id);
  await restore(before);
  await restore(withIt);
  expect(await lay(leaked.key)).toBe('API_KEY_ENDED');
  await t.expectBooksToBalance();
});
