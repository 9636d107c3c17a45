import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { connect, type Database } from '../platform/db/database.ts';
import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { createDatabase } from '../../test/test-databases.ts';

const DRAWS = `
  insert into games (unit_price, id, digits, release_date, labelled, game_key, name, family, status, result_mode, description, publisher)
    values (100, gen_random_uuid(), 10, now(), false, 'g', 'g', 'numbers', 'active', 'open', '', '');
  insert into draw_terms (id, rules_version, unit_price, pays, weights, result_mode, manual_claims)
    values (gen_random_uuid(), 1, 100, '{}', '[]', 'open', false);
  insert into draws (opens_at, closes_at, draws_at, closed_at, finished_at, id, game_id, network_id, terms_id,
    ticket_count, status, commitment,
                     sealed_seed, seed, ticket_root, result, result_label, booster, source, void_cause)
  select at, at + interval '55 s', at + interval '60 s', case when closed then at + interval '55 s' end, case when over
    then at + interval '60 s' end,
         gen_random_uuid(), g.id, 1, terms.id, tickets, given.status::draw_status, sha256('seed'), case when not over
           then 'sealed'::bytea end,
         case when over then 'seed'::bytea end, case when tickets > 0 then sha256('tickets') end, case when drawn
           then '{"drawno": "7"}'::json end,
         case when drawn then '7' end, case when drawn then 2 end, case when drawn then 'generated'::result_source end,
         case given.status when 'void' then 'operator'::void_cause end
  from (values (1, 'open', null), (2, 'closed', 0), (3, 'closed', 3), (4, 'drawn', 3), (5, 'settled', 0), (6, 'settled', 3), (7, 'void', 0),
               (8, 'void', 3)) as given (k, status, tickets),
       lateral (select given.status <> 'open' as closed, given.status in ('drawn', 'settled') as drawn,
         given.status in ('settled', 'void') as over,
                       '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as more, games g, draw_terms terms`;

let db: Database;
let end: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase(inject('cluster'));
  db = connect(database.ownerUrl, { onError: () => {}, poolSize: 2, patience: COMMAND_TIMEOUTS });
  end = async () => {
    await db.close();
    await database.drop();
  };
  await db.query(DRAWS);
});
afterAll(() => end());

it.each([
  [
    'a closed draw with tickets has a ticket root',
    "ticket_root = null where status = 'settled' and ticket_count > 0",
    'draws_sealed',
  ],
  [
    'a closed draw has a ticket count',
    "ticket_count = null where status = 'settled' and ticket_count = 0",
    'draws_sealed',
  ],
  ['a draw without tickets has no root', "ticket_root = sha256('') where ticket_count = 0", 'draws_sealed'],
  ['an open draw has no root', "ticket_root = sha256('') where status = 'open'", 'draws_sealed'],
  ['every draw has a seed', 'sealed_seed = null where seed is null', 'draws_finished'],
  [
    "an unfinished draw's seed is unpublished",
    "seed = 'seed', sealed_seed = null where status = 'drawn'",
    'draws_finished',
  ],
  [
    'a published seed is no longer stored encrypted',
    "sealed_seed = 'sealed' where status = 'settled'",
    'draws_finished',
  ],
  [
    "a settled draw's seed is published",
    "seed = null, sealed_seed = 'sealed' where status = 'settled'",
    'draws_finished',
  ],
  ['a void draw has a cause', "void_cause = null where status = 'void'", 'draws_void'],
  ['a draw that is not void has no void cause', "void_cause = 'wins' where status = 'open'", 'draws_void'],
])('%s', async (_what, change, constraint) => {
  await expect(db.query(`update draws set ${change}`)).rejects.toThrow(constraint);
});

it('a void draw may keep an unreadable seed sealed', async () => {
  await db.query("update draws set seed = null, sealed_seed = 'sealed' where status = 'void' and ticket_count = 0");
});
