import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { TestApp } from '../harness.ts';
import { TestSeals } from './sealed-world.ts';

/** Two draws with 1,024 settlement pieces each, sealed one after the other. */
const DRAW = randomUUID();
export const OTHER = randomUUID();
/** Bundles containing pieces of one draw only. */
export const [CLEARED, LATER] = [
  [1, 2, 3],
  [6, 7],
];
/** Writing transaction of a row: an old one, or the current. */
export const LONG_AGO = "'3'";
export const NOW = 'pg_current_xact_id()';

export function clearing(by: string, username = ''): string {
  return `insert into clearings (started_at, finished_at, starts_at, ends_at, removed, id, account_id, network_id, username,
   model, backup, written_by)
   values (now(), now(), '2000-01-01', '2100-01-01', 1200, gen_random_uuid(), gen_random_uuid(), 0, '${username}', 'ticket', '', ${by})`;
}

export function clearedDraw(by: string, draw = DRAW): string {
  return `insert into cleared_draws (finished_at, stake, win, commissions, draw_id, game_id, network_id, tickets, players,
   status, written_by)
   values (now(), 0, 0, 0, '${draw}', gen_random_uuid(), 0, 1200, 1, 'settled', ${by})`;
}

export function bundleOf(seals: TestSeals, index: number): string {
  return join(seals.dir, `1/tile/entries/00${index}`);
}

export async function bundlesThere(seals: TestSeals, some: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const index of some)
    await access(bundleOf(seals, index)).then(
      () => found.push(index),
      () => {},
    );
  return found;
}

export function pieces(draw: string, count: number): string {
  return `insert into settlement_pieces (paid_at, paid, players, draw_id, network_id)
   select now() + nth * interval '1 second', 1, 1, '${draw}', 0 from generate_series(1, ${count}) as nth`;
}

/** Seals once per file and removes the first draw's pieces. */
export function onSealedDraws(give: (t: TestApp, seals: TestSeals) => void): void {
  let t: TestApp;
  let seals: TestSeals;
  beforeAll(async () => {
    t = await TestApp.start();
    seals = await TestSeals.make(t.database);
    await seals.seal();
    for (const draw of [DRAW, OTHER]) {
      await t.byHand(pieces(draw, 1024));
      await seals.seal();
    }
    await t.byHand(`delete from settlement_pieces where draw_id = '${DRAW}'`);
    give(t, seals);
  });
  afterAll(async () => {
    await t.close();
    await seals.remove();
  });
}
