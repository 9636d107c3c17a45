import { BUILT_IN_GAMES } from '@drawhouse/rules/catalogue';
import { paysOf } from '@drawhouse/rules/pays';
import { rulesFor } from '@drawhouse/rules/rules';
import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { termsId } from '../src/draws/draw-terms.ts';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0006', (...given) => ([db, ownerUrl] = given));

const GAMES = [...BUILT_IN_GAMES, { gameId: 'mine', family: 'numbers', digits: 7 } as const];
const WEIGHTS = [[1e9, ...Array<number>(19).fill(0)], Array<number>(20).fill(5e7), [400_000_000, 600_000_000]];

it('draws of the release before have the terms that they were opened with, each kept once', async () => {
  await db.query(
    `insert into games (unit_price, id, digits, release_date, labelled, game_key, name, family, status, result_mode, description, publisher)
     select case when game_key = 'mine' then 250 else 100 end, gen_random_uuid(), digits, now(), false, game_key, game_key, family, 'active', 'open', '', ''
     from unnest($1::text[], $2::text[], $3::int[]) as g (game_key, family, digits)`,
    [GAMES.map((game) => game.gameId), GAMES.map((game) => game.family), GAMES.map((game) => game.digits)],
  );
  await db.query(
    `insert into draws (number, opens_at, closes_at, draws_at, id, game_id, network_id, rules_version, status, commitment, sealed_seed, weights)
     select extract(epoch from at) / 60, at, at, at + interval '1 minute', gen_random_uuid(), g.id, n, 1, 'open', '', '', w.weights
     from games g, jsonb_array_elements($1) with ordinality as w (weights, k), generate_series(1, 3) as n,
       lateral (select '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as times`,
    [JSON.stringify(WEIGHTS)],
  );

  await migrate(ownerUrl);

  const draws = await db.query<DrawTerms & { id: string; terms_id: string; game_key: string }>(
    `select d.terms_id, t.*, g.game_key from draws d join games g on g.id = d.game_id join draw_terms t on t.id = d.terms_id`,
  );
  expect(draws).toHaveLength(GAMES.length * WEIGHTS.length * 3);
  for (const draw of draws) {
    const game = GAMES.find((one) => one.gameId === draw.game_key)!;
    expect(draw.pays).toEqual(paysOf(rulesFor(game)));
    expect(draw).toMatchObject({ rules_version: 1, unit_price: game.gameId === 'mine' ? 250n : 100n });
    expect(termsId(draw)).toBe(draw.id);
  }
  const kinds = new Set(GAMES.map((game) => JSON.stringify([paysOf(rulesFor(game)), game.gameId === 'mine'])));
  expect(await db.query('select from draw_terms where result_mode is null')).toHaveLength(kinds.size * WEIGHTS.length);
  // They run, so they have been given how their results come about since.
  expect(await db.query('select distinct terms_id from draws')).toHaveLength(kinds.size * WEIGHTS.length);
});
