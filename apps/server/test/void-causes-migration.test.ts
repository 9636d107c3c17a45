import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { ONE_GAME, onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0013', (...given) => ([db, ownerUrl] = given));

/** Void draws, by whom the log says that each was voided, and one that is open; draws 1 and 2 without their seed. */
const BEFORE = `${ONE_GAME}
  insert into draws (number, opens_at, closes_at, draws_at, closed_at, finished_at, id, game_id, network_id, ticket_count, status, commitment,
                     sealed_seed, seed, ticket_root, terms_id)
  select extract(epoch from at) / 60, at, at + interval '55 s', at + interval '60 s', case when k < 6 then at end, case when k < 6 then at end, gen_random_uuid(), g.id, 1,
         case when k < 6 then 0 end, case when k < 6 then 'void' else 'open' end::draw_status, sha256('seed'),
         case when k in (1, 2, 6) then 'sealed'::bytea end, case when k in (3, 4, 5) then 'seed'::bytea end, case when k < 6 then sha256('') end, terms.id
  from generate_series(1, 6) as k, lateral (select '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as more, games g, draw_terms terms;
  insert into activity (seq, at, id, account_id, network_id, hash, username, subject, url, method, ip, detail)
  select number, now(), gen_random_uuid(), case when number in (2, 4) then gen_random_uuid() end, 1, '', '', '', '', '', '',
         jsonb_build_object('drawId', id, 'reason', 'a test')
  from (select id, row_number() over (order by opens_at) as number from draws) as d where number in (1, 2, 3, 4)`;

it('void draws of the release before have the cause that the log tells, or where it tells none, their seed', async () => {
  await db.query(BEFORE);
  await migrate(ownerUrl);
  expect(
    await db.query(
      'select row_number() over (order by opens_at)::int as number, void_cause::text as cause from draws order by opens_at',
    ),
  ).toEqual([
    { number: 1, cause: 'seed' },
    { number: 2, cause: 'operator' },
    { number: 3, cause: 'wins' },
    { number: 4, cause: 'operator' },
    { number: 5, cause: 'operator' },
    { number: 6, cause: null },
  ]);
  for (const change of ["void_cause = 'wins' where status = 'open'", "void_cause = null where status = 'void'"])
    await expect(db.query(`update draws set ${change}`), `by ${change}`).rejects.toThrow('draws_void');
});
