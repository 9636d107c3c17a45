import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { TestSeals } from '../../test/worlds/sealed-world.ts';

let t: TestApp;
let seals: TestSeals;

beforeEach(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
});
afterEach(async () => {
  await t.close();
  await seals.remove();
});

it.each([
  ['before it sealed', 1],
  ['before it signed a checkpoint', 2],
])(
  'finds nothing wrong after a kill during the first seal, %s, nor after the next server seals',
  async (_when, step) => {
    await seals.sealUntil(step);
    expect(await seals.problems()).toEqual([]);
    await seals.seal();
    expect(await seals.problems()).toEqual([]);
  },
);

it('detects a missing first checkpoint, and a missing first log', async () => {
  await seals.seal();
  await rm(join(seals.dir, '1', 'checkpoint'));
  expect(await seals.problems()).toEqual([
    'the checkpoint of the log test/seals/1 is not validly signed: It is missing.',
  ]);
  await rm(join(seals.dir, '1', 'state.json'));
  expect(await seals.problems()).toEqual([
    expect.stringMatching(/^the database has \d+ sealed records of the log 1, but its files are missing$/),
  ]);
});
