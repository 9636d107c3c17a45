import { exportBackup, importBackup } from '@drawhouse/contract/backup/backups';
import { addResult } from '@drawhouse/contract/draws/draws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type SignedIn } from '../../test/harness.ts';
import { finishAfter, holdPieces, releasePieces } from '../../test/statements/held-pieces.ts';

const GAME = 'funtargetbingo';
const PLAYERS = 7;

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 0, players: 2, tickets: 1_000 } });
  await holdPieces(t);
});
afterAll(() => t.close());

it('a draw half settled in a backup is settled after its restore', async () => {
  const net = await t.network({ credit: 1_000, games: [GAME] });
  const players: SignedIn[] = [net.user];
  while (players.length < PLAYERS) players.push(await t.create(net.retailer));
  await t.give(net.superadmin, net.superadmin, 1_000);
  for (const player of players.slice(1)) await t.give(net.superadmin, player, 100);
  let drawId = '';
  for (const player of players) ({ drawId } = (await t.bet(player, { 3: 10 })).body.ticket);
  await t.ok(addResult, { body: { gameId: GAME, adminId: net.admin._id, result: '3', boosterValue: 3 } }, net.admin);
  await finishAfter(t, 2);
  const { folder } = await t.ok(exportBackup, {}, net.admin);
  await releasePieces(t);
  await t.app.tick();
  const paid = await t.credit(players[0]!);
  await t.ok(importBackup, { query: { folder } }, net.admin);
  await t.expectBooksToBalance();
  await t.app.tick();
  const rows = await t.db.query('select status from draws where id = $1 and network_id in (select id from networks)', [
    drawId,
  ]);
  expect(rows).toEqual([{ status: 'settled' }]);
  expect(await t.credit({ ...players[0]!, ...(await t.signIn(players[0]!.username)) })).toBe(paid);
});
