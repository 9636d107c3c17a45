import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey, uniqueIdOf } from '../clients/program-keys.ts';
import type { Network } from '../harness.ts';
import { dyingAnywhere } from '../processes/dying-database.ts';
import { isWhole } from '../test-tier.ts';
import { advanceAll, Bettor, moveBetween, openCell, undoBetween, type CellApp } from '../worlds/cell-moves.ts';
import { TestGroup } from '../worlds/cells.ts';

/**
 * A move killed before or after any statement, in either cell or the directory, leaves the network open in one cell.
 */

/** All moves happen within one draw: a draw that closes in the new cell rightly ends the undo. */
const STEP_MS = 100;

let group: TestGroup;
let cells: readonly CellApp[];
let net: Network;

beforeAll(async () => {
  group = await TestGroup.start();
  cells = [await group.add('cell-1'), await group.add('cell-2')];
  net = await cells[0]!.network({ credit: 100_000 });
});
afterAll(() => group.close());

const elsewhere = (cell: CellApp): CellApp => cells.find((other) => other !== cell)!;

/** The last statements decide, so a short run kills there. */
const killsOf = (statements: number): number[] =>
  isWhole
    ? Array.from({ length: 50 }, (_, nth) => Math.ceil((statements * (nth + 1)) / 51))
    : [statements >> 1, statements - 9, statements - 3];

it('survives a kill at any statement while bets continue', async () => {
  const [first] = cells as [CellApp];
  const { key } = await makeKey(first, net.admin);
  const player = await uniqueIdOf(first, net.user);
  const bettor = new Bettor(cells, { key, player, gameId: 'funtargetbingo' });
  let count = 0;
  await moveBetween(first, elsewhere(first), net.admin, {
    through: (db) => dyingAnywhere(db, () => ++count < 0),
  });
  let here = await openCell(cells, net.admin);
  expect(here).toBe(elsewhere(first));
  for (const last of killsOf(count)) {
    await advanceAll(cells, STEP_MS);
    count = 0;
    const dying = moveBetween(here, elsewhere(here), net.admin, {
      through: (db) => dyingAnywhere(db, () => ++count > last),
    });
    await Promise.allSettled([dying]);
    here = await openCell(cells, net.admin);
  }
  const taken = await bettor.end();
  expect(taken.length).toBeGreaterThan(0);
  const there = await here.db.query<{ id: string }>(
    'select t.id from tickets t join networks n on n.id = t.network_id where n.admin_id = $1',
    [net.admin._id],
  );
  expect(there.map(({ id }) => id).toSorted()).toEqual(taken.toSorted());
  for (const cell of cells) await cell.expectBooksToBalanceNow();
});

it('survives a kill at any statement of an undo', async () => {
  let here = await openCell(cells, net.admin);
  let count = 0;
  let last = Infinity;
  const undo = async (): Promise<void> => {
    count = 0;
    await advanceAll(cells, STEP_MS);
    await undoBetween(here, elsewhere(here), net.admin, {
      through: (db) => dyingAnywhere(db, () => ++count > last),
    });
  };
  const moveOn = async (): Promise<void> => {
    await advanceAll(cells, STEP_MS);
    await moveBetween(here, elsewhere(here), net.admin);
    here = elsewhere(here);
  };
  await moveOn();
  await undo();
  const home = await openCell(cells, net.admin);
  expect(home).toBe(elsewhere(here));
  const statements = count;
  const step = Math.ceil(statements / (isWhole ? 30 : 4));
  const undone: boolean[] = [];
  for (last = step; last < statements; last += step) {
    here = await openCell(cells, net.admin);
    if (here === home) await moveOn();
    await Promise.allSettled([undo()]);
    undone.push((await openCell(cells, net.admin)) === home);
  }
  expect(new Set(undone), 'before and after the decision').toEqual(new Set([false, true]));
  for (const cell of cells) await cell.expectBooksToBalanceNow();
});
