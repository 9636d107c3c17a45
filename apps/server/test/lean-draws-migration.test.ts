import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { ONE_GAME, onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0012', (...given) => ([db, ownerUrl] = given));

/** Draws in every state, as the release before wrote them. */
const BEFORE = `${ONE_GAME}
  insert into draws (number, opens_at, closes_at, draws_at, closed_at, finished_at, saved_at, id, game_id, saved_by, network_id, ticket_count,
                     saved_booster, booster, status, source, commitment, sealed_seed, seed, ticket_digest, saved_result, result, result_label, terms_id)
  select extract(epoch from at) / 60, at, at + interval '55 s', at + interval '60 s', case when given.status <> 'open' then at + interval '55 s' end,
         case when over then at + interval '60 s' end, case when declared then at + interval '56 s' end, gen_random_uuid(), g.id,
         case when declared then gen_random_uuid() end, 1, case when given.status <> 'open' then k - 1 end,
         case when declared then 2 end, case when drawn then 2 end, given.status,
         case when drawn then case when declared then 'declared' else 'generated' end end, sha256('seed'), 'sealed',
         case when over then 'seed'::bytea end, case when given.status <> 'open' then sha256('tickets') end,
         case when declared then '{"drawno": "7"}'::jsonb end, case when drawn then '{"drawno": "7"}'::jsonb end,
         case when drawn then '7' end, terms.id
  from (values (1, 'open', false), (2, 'closed', false), (3, 'closed', true), (4, 'drawn', true), (5, 'drawn', false), (6, 'settled', true),
               (7, 'settled', false), (8, 'void', false), (9, 'void', true)) as given (k, status, declared),
       lateral (select given.status in ('drawn', 'settled') as drawn, given.status in ('settled', 'void') as over,
                       '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as more, games g, draw_terms terms`;
/** All that a draw has, but for the seed that is published, the number, which follows from its times, and what is of its terms by now. */
const READ = `select (to_jsonb(d) - 'sealed_seed' - 'number' - 'terms_id' - 'saved_mode')::text as draw, sealed_seed is not null as sealed, status::text as status from draws d order by opens_at`;

it('draws of the release before are what they were; a seed that is public is no longer kept sealed', async () => {
  await db.query(BEFORE);
  const before = await db.query<{ draw: string; sealed: boolean; status: string }>(READ);
  expect(before).toHaveLength(9);
  await migrate(ownerUrl);
  const after = await db.query<{ draw: string; sealed: boolean; status: string }>(READ);
  expect(after.map((row) => JSON.parse(row.draw) as unknown)).toEqual(
    before.map((row) => expect.objectContaining(JSON.parse(row.draw) as object) as unknown),
  );
  for (const { sealed, status } of after)
    expect(sealed, `of a draw that is ${status}`).toBe(status !== 'settled' && status !== 'void');
});

it('no draw is without a seed, or settled without having published it', async () => {
  for (const change of [
    'sealed_seed = null',
    "seed = 'seed', sealed_seed = null, status = 'open'",
    "seed = null, sealed_seed = 'sealed' where status = 'settled'",
  ])
    await expect(db.query(`update draws set ${change}`), `by ${change}`).rejects.toThrow('draws_');
  await db.query("update draws set seed = null, sealed_seed = 'sealed' where status = 'void'");
});
