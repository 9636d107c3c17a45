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
    'the checkpoint of the log test/seals/1 is not validly signed: It is missing.',
    expect.stringMatching(/has no state\.json/),
  ]);
  await rm(join(seals.dir, '1'), { recursive: true });
  expect(await seals.problems()).toEqual([
    expect.stringMatching(/^the database has \d+ sealed records of the log 1, but its files are missing$/),
  ]);
});

it('reveals an added row although the progress in the database was set back', async () => {
  await seals.seal();
  for (const name of ['first', 'second']) {
    await t.db.query("insert into pinned_settings (name, value) values ($1, 'x')", [name]);
    await seals.seal();
  }
  const { sealed } = await seals.foundAfter(async (on) => {
    await on.query("insert into pinned_settings (name, value, written_by) values ('added', 'x', '3')");
    await on.query("update seal_progress set size = 0, root = sha256(''), snapshot = '1:1:'");
  });
  expect(sealed).toEqual([
    expect.stringMatching(/^the database has 0 sealed records of the log 1, but had \d+ before$/),
    'pinned_settings (name added) was added without being sealed',
  ]);
});

it('repeats lost records after a new log begins, but finds no unchanged row wrong', async () => {
  await t.db.query("insert into pinned_settings (name, value) select 'n' || n, 'x' from generate_series(1, 300) as n");
  const { folder } = await seals.seal();
  await rm(join(folder, 'tile/entries/000'));
  await t.byHand("insert into pinned_settings (name, value, written_by) values ('added', 'x', '3')");
  await seals.seal('The disk broke.');
  const [, begun] = await seals.audit();
  expect(begun!.problems).toEqual(['pinned_settings (name added) was added without being sealed']);
  expect(begun!.unproven).toContainEqual(expect.stringMatching(/^records 0 to 255 of test\/seals\/1 are gone/));
  await t.byHand("delete from pinned_settings where name = 'added'");
  const last = await seals.seal();
  for (const name of ['entries/000', '0/000']) await rm(join(last.folder, 'tile', name));
  const before = (await seals.audit()).find(({ name }) => name === 'every record is as sealed');
  expect(before!.problems).toEqual([]);
});

it('keeps earlier findings although a later log lost its state and checkpoint', async () => {
  await seals.seal();
  await t.byHand("insert into pinned_settings (name, value, written_by) values ('added', 'x', '3')");
  const { folder } = await seals.seal('To hide it.');
  for (const name of ['checkpoint', 'state.json']) await rm(join(folder, name));
  await t.byHand("delete from pinned_settings where name = 'added'");
  await seals.seal('The state was lost.');
  const [, begun] = await seals.audit();
  expect(begun!.problems).toEqual([
    'pinned_settings (name added) was added without being sealed',
    expect.stringMatching(/^pinned_settings \(name added\) was removed after it was sealed, as record \d+$/),
  ]);
});
