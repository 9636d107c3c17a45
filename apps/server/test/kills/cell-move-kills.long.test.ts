import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey, uniqueIdOf } from '../clients/program-keys.ts';
import type { Network } from '../harness.ts';
import { dyingAnywhere } from '../processes/dying-database.ts';
import { advanceAll, Bettor, moveBetween, openCell } from '../worlds/cell-moves.ts';
import type { CellApp } from '../worlds/cell-moves.ts';
import { TestGroup } from '../worlds/cells.ts';

/** A move killed before or after any statement, in either cell or the directory, leaves the network open in one cell. */

const EVERY = 4;
let group: TestGroup;
let cells: readonly CellApp[];
let net: Network;

beforeAll(async () => {
  group = await TestGroup.start();
  cells = [await group.add('cell-1'), await group.add('cell-2')];
  net = await cells[0]!.network({ credit: 100_000 });
  await cells[1]!.network();
});
afterAll(() => group.close());

const elsewhere = (cell: CellApp): CellApp => cells.find((other) => other !== cell)!;

it('survives a kill at any statement while bets go on', async () => {
  const [first] = cells as [CellApp];
  const { key } = await makeKey(first, net.admin);
  const player = await uniqueIdOf(first, net.user);
  const bettor = new Bettor(cells, { key, player, gameId: 'funtargetbingo' });
  let here = first;
  let moves = 0;
  for (let last = EVERY; moves < 2; last += EVERY) {
    let count = 0;
    const dying = moveBetween(here, elsewhere(here), net.admin, (db) => dyingAnywhere(db, () => ++count > last));
    const [{ status }] = await Promise.allSettled([dying]);
    const open = await openCell(cells, net.admin);
    if (status === 'fulfilled') {
      expect(open, `after ${count} statements`).not.toBe(here);
      moves++;
      last = 0;
    }
    here = open;
    await advanceAll(cells, 1_000);
  }
  const taken = await bettor.end();
  expect(taken.length).toBeGreaterThan(0);
  const there = await here.db.query<{ id: string }>(
    'select t.id from tickets t join networks n on n.id = t.network_id where n.admin_id = $1',
    [net.admin._id],
  );
  expect(there.map(({ id }) => id).toSorted()).toEqual(taken.toSorted());
  for (const cell of cells) await cell.expectBooksToBalanceNow();
}, 1_800_000);
