import { expect, it } from 'vitest';
import type { TestApp } from '../../test/harness.ts';
import type { TestSeals } from '../../test/sealed-world.ts';
import { bundlesThere, CLEARED, clearedDraw, clearing, LONG_AGO, NOW, onSealedDraws } from '../../test/sealed-draws.ts';

let t: TestApp;
let seals: TestSeals;
onSealedDraws((app, sealed) => {
  [t, seals] = [app, sealed];
});

it('what is gone stays in the seals while no clearing of it is sealed, whatever the database says', async () => {
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
