import { randomUUID } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { TestApp } from '../../../test/harness.ts';
import type { TestSeals } from '../../../test/worlds/sealed-world.ts';
import {
  bundleOf,
  bundlesThere,
  CLEARED,
  clearedDraw,
  clearing,
  LONG_AGO,
  NOW,
  onSealedDraws,
} from '../../../test/worlds/sealed-draws.ts';

let t: TestApp;
let seals: TestSeals;
onSealedDraws((app, sealed) => {
  [t, seals] = [app, sealed];
});

it('missing rows stay in the seals until their clearing is sealed, whatever the database says', async () => {
  await t.byHand(clearing(LONG_AGO));
  await t.byHand(clearedDraw(LONG_AGO));
  await seals.seal();
  expect(await seals.prune()).toBe(0);
  await t.byHand('delete from clearings; delete from cleared_draws');

  await t.byHand(clearing(NOW));
  await t.byHand(clearedDraw(LONG_AGO));
  await seals.seal();
  expect(await seals.prune(), 'the clearing is sealed, and its draw is not').toBe(0);
  await t.byHand('delete from cleared_draws');

  await t.byHand(clearedDraw(NOW));
  await seals.seal();
  await t.byHand("update clearings set starts_at = '1999-01-01'");
  expect(await seals.prune(), 'the clearing was sealed, and is another one now').toBe(0);
  await t.byHand("update clearings set starts_at = '2000-01-01'");
  expect(await bundlesThere(seals, CLEARED)).toEqual(CLEARED);
});

it('unreadable files are named and stop pruning, not sealing', async () => {
  const file = bundleOf(seals, CLEARED[0]!);
  await rename(file, `${file}.away`);
  await mkdir(file);
  const failures: string[] = [];
  expect(await seals.prune(undefined, ({ message }) => failures.push(message))).toBe(0);
  expect(failures).toEqual([expect.stringMatching(/^EISDIR/)]);
  await rmdir(file);
  await rename(`${file}.away`, file);
  expect(await bundlesThere(seals, CLEARED)).toEqual(CLEARED);
});

it('batches of a cleared draw go, unless a row remains', async () => {
  const draw = randomUUID();
  const { size } = (await seals.seal()).state;
  for (let nth = 0; nth < 800; nth++)
    await t.byHand(
      `insert into ticket_wins (win, ticket_id, draw_id, network_id) values (${nth + 1}, gen_random_uuid(), '${draw}', 0)`,
    );
  await seals.seal();
  const first = Math.ceil(size / 256);
  const left = first * 256 - size + 1;
  await t.byHand(`delete from ticket_wins where draw_id = '${draw}' and win <> ${left}`);
  await t.byHand('delete from clearings; delete from cleared_draws');
  await t.byHand(clearing(NOW));
  await t.byHand(clearedDraw(NOW, draw));
  await seals.seal();
  await seals.prune();
  expect(await bundlesThere(seals, [first, first + 1])).toEqual([first]);
  await t.byHand(`delete from ticket_wins where draw_id = '${draw}'`);
  await seals.prune();
  expect(await bundlesThere(seals, [first, first + 1])).toEqual([]);
});
