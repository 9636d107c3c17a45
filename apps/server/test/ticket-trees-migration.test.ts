import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0011', (...given) => ([db, ownerUrl] = given));

it('draws of the release before keep the digest that was published, and each has a root or a digest once it is closed', async () => {
  await db.query(
    `with game as (
       insert into games (unit_price, id, digits, release_date, labelled, game_key, name, family, status, result_mode, description, publisher)
       values (100, gen_random_uuid(), 10, now(), false, 'g', 'g', 'numbers', 'active', 'open', '', '') returning id
     ), terms as (
       insert into draw_terms (unit_price, id, rules_version, pays, weights) values (100, gen_random_uuid(), 1, '{}', '[]') returning id
     )
     insert into draws (number, opens_at, closes_at, draws_at, id, game_id, network_id, terms_id, status, commitment, sealed_seed, closed_at, ticket_digest)
     select extract(epoch from at) / 60, at, at, at + interval '1 minute', gen_random_uuid(), game.id, 1, terms.id, status, '', '', case when status = 'closed' then at end,
            case when status = 'closed' then sha256('') end
     from game, terms, unnest(array['open', 'closed']) with ordinality as d (status, k), lateral (select '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as times`,
  );

  await migrate(ownerUrl);

  expect(
    await db.query(
      "select status, encode(ticket_digest, 'hex') as digest, ticket_root as root from draws order by opens_at",
    ),
  ).toEqual([
    { status: 'open', digest: null, root: null },
    { status: 'closed', digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', root: null },
  ]);
  for (const wrong of [
    "ticket_root = sha256('a') where status = 'open'",
    "ticket_root = sha256('a') where status = 'closed'",
    "ticket_digest = null where status = 'closed'",
  ])
    await expect(db.query(`update draws set ${wrong}`)).rejects.toThrow('draws_sealed');
  await db.query("update draws set ticket_digest = null, ticket_root = sha256('a') where status = 'closed'");
});
