import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { DRAW_NUMBER, TICKET_ROOT } from '../src/draws/draws.sql.ts';
import { ONE_GAME, onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0014', (...given) => ([db, ownerUrl] = given));

/** Draws of a minute in every state, with tickets and without, with a root or a digest of them, as the release before wrote them. */
const BEFORE = `${ONE_GAME}
  insert into draws (number, opens_at, closes_at, draws_at, closed_at, finished_at, saved_at, id, game_id, saved_by, confirmed_by, network_id,
                     ticket_count, saved_booster, booster, status, source, commitment, sealed_seed, seed, ticket_digest, ticket_root, saved_result,
                     result, result_label, terms_id, saved_mode, counted, void_cause)
  select extract(epoch from at) / 60, at, at + interval '55 s', at + interval '60 s', case when closed then at + interval '55 s' end,
         case when over then at + interval '60 s' end, case when declared then at + interval '56 s' end, gen_random_uuid(), g.id,
         case when declared then gen_random_uuid() end, case when declared then gen_random_uuid() end, 1, tickets,
         case when declared then 20 end, case when drawn then 20 end, given.status::draw_status,
         case when drawn then case when declared then 'declared' else 'generated' end end::result_source, sha256('seed'),
         case when not over then 'sealed'::bytea end, case when over then 'seed'::bytea end, case when closed and not rooted then sealed end,
         case when closed and rooted then sealed end, case when declared then '{"suit": "spade", "drawno": "7"}'::jsonb end,
         case when drawn then '{"winners": {"100": "107"}}'::jsonb end, case when drawn then '7' end, terms.id,
         case when declared then 'two-person' end, k > 3, case given.status when 'void' then 'operator' end::void_cause
  from (values (1, 'open', null, false, true), (2, 'closed', 0, false, true), (3, 'closed', 3, true, true), (4, 'drawn', 0, true, true),
               (5, 'settled', 0, false, true), (6, 'settled', 2, true, true), (7, 'settled', 0, false, false), (8, 'settled', 4, false, false),
               (9, 'void', 0, false, true)) as given (k, status, tickets, declared, rooted),
       lateral (select given.status <> 'open' as closed, given.status in ('drawn', 'settled') as drawn, given.status in ('settled', 'void') as over,
                       sha256(case tickets when 0 then '' else 'tickets' end::bytea) as sealed,
                       '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as more, games g, draw_terms terms`;

/** All that is known of draws, but for what is of their terms by now; the number and the root as they stand in columns, or as they follow. */
const read = async (number: string, root: string): Promise<unknown[]> =>
  (
    await db.query<{ draw: string }>(
      `select (to_jsonb(d) - 'number' - 'ticket_root' - 'terms_id' - 'saved_mode' - 'saved_ip' - 'confirmed_ip' || jsonb_build_object('number', ${number}, 'ticket_root', ${root}))::text as draw
       from draws d order by d.opens_at`,
    )
  ).map(({ draw }) => JSON.parse(draw) as unknown);

it('is not made where a number or a root that is no longer stored would not be the one that follows', async () => {
  await db.query(BEFORE);
  const before = await read('d.number', 'd.ticket_root');
  for (const [column, wrong, says] of [
    ['number', 'number + 1', /draw .* of network 1 has the number \d+, which does not follow from its times/],
    ['draws_at', 'opens_at', /draw .* has the number/],
    ['ticket_root', "sha256('other')", /draw .* of network 1 has no tickets and the root of some/],
  ] as const) {
    const [was] = await db.query<{ id: string; value: string }>(
      `select id, ${column}::text as value from draws where status = 'settled' and ticket_count = 0 and ticket_root is not null`,
    );
    await db.query(`update draws set ${column} = ${wrong} where id = $1`, [was!.id]);
    await expect(migrate(ownerUrl), `with ${column}`).rejects.toThrow(says);
    const [{ type }] = (await db.query<{ type: string }>(
      `select format_type(atttypid, null) as type from pg_attribute where attrelid = 'draws'::regclass and attname = $1`,
      [column],
    )) as [{ type: string }];
    await db.query(`update draws set ${column} = $2::text::${type} where id = $1`, [was!.id, was!.value]);
  }
  expect(await read('d.number', 'd.ticket_root')).toEqual(before);
});

it('draws of the release before are what they were, with their numbers and roots', async () => {
  const before = await read('d.number', 'd.ticket_root');
  expect(before).toHaveLength(9);
  await migrate(ownerUrl);
  expect(await read(DRAW_NUMBER, TICKET_ROOT)).toEqual(before);
  expect(await db.query('select from draws where ticket_root is not null')).toHaveLength(2);
});

it('no closed draw with tickets is without their root or digest, and none without tickets has a root', async () => {
  for (const change of [
    "ticket_root = null where status = 'settled' and ticket_count > 0",
    "ticket_digest = null where status = 'settled' and ticket_count > 0",
    "ticket_count = null where status = 'settled' and ticket_count = 0",
    "ticket_root = sha256('') where ticket_count = 0",
    "ticket_root = sha256('') where status = 'open'",
  ])
    await expect(db.query(`update draws set ${change}`), `by ${change}`).rejects.toThrow('draws_sealed');
});
