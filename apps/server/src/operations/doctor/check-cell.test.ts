import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { readConfig } from '../../config/config.ts';
import { checkCell } from './check-cell.ts';

let group: TestGroup;
let first: Awaited<ReturnType<TestGroup['add']>>;
let second: typeof first;

beforeAll(async () => {
  group = await TestGroup.start();
  [first, second] = [await group.add('cell-1'), await group.add('cell-2')];
  await group.connectCells();
});
afterAll(() => group.close());

const addressOf = ({ app }: typeof first) => `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

async function find({ cellUrl = addressOf(first), ownerUrl = first.database.ownerUrl, isRunning = true } = {}) {
  const config = readConfig({ CELL_NAME: 'cell-1', DIRECTORY_URL: group.directoryUrl, CELL_URL: cellUrl });
  const database = { db: first.served, address: first.database.serverUrl, ownerAddress: ownerUrl };
  const found = await checkCell(database, { config, clock: first.clock, isRunning });
  return found.map(({ state, says }) => `${state}: ${says}`);
}

it('finds nothing wrong where the directory and all cells answer', async () => {
  expect(await find()).toEqual(['ok: cell-1: the directory and all cells answer.']);
});

it('finds a CELL_URL that leads to another cell, while a server runs', async () => {
  const cellUrl = addressOf(second);
  expect(await find({ cellUrl })).toEqual([
    `fault: cell-1 does not answer at ${cellUrl}: cell-1 gave no signed answer (status 404).`,
  ]);
  expect(await find({ cellUrl, isRunning: false })).toEqual(['ok: cell-1: the directory and all cells answer.']);
});

it('finds a PostgreSQL that can’t take part in moves', async () => {
  const role = new URL(first.database.serverUrl).username;
  expect(await find({ ownerUrl: first.database.serverUrl })).toEqual([
    `warning: Networks can’t move from or to this cell. Its role ${role} can’t replicate.`,
    `warning: Networks can’t move from or to this cell. Its role ${role} can’t create subscriptions.`,
  ]);
});

it('finds other cells that do not answer', async () => {
  await second.directory.announce(second.served, 'http://127.0.0.1:1');
  expect(await find()).toEqual([expect.stringMatching(/^warning: cell-2 does not answer: /)]);
  await group.connectCells();
});

it('finds a directory that is away, or new', async () => {
  await group.setAway(true);
  expect(await find()).toEqual([expect.stringMatching(/^fault: The directory of all cells can't be read: /)]);
  await group.setAway(false);
  await first.directory.db.query(`delete from names; delete from places; delete from cells where name = 'cell-1'`);
  expect(await find()).toEqual(['fault: The directory lacks cell-1.']);
  await group.loseDirectory();
  expect(await find()).toEqual(['fault: The directory lacks cell-1.']);
});
