import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { termsId } from '../src/draws/draw-terms.ts';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { ONE_GAME, onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0022', (...given) => ([db, ownerUrl] = given));

const id = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [TOP, OLD, RESET] = [id(1), id(2), id(3)];

/** A game whose results take two persons by now, with draws that were saved under either rule; and two admins, one with a new password. */
const BEFORE = `${ONE_GAME}
  update games set result_mode = 'two-person', manual_claims = true;
  insert into games (unit_price, id, digits, release_date, labelled, game_key, name, family, status, result_mode, description, publisher)
    values (100, gen_random_uuid(), 10, now(), false, 'open', 'open', 'numbers', 'active', 'open', '', '');
  insert into draws (opens_at, closes_at, draws_at, closed_at, finished_at, saved_at, id, game_id, terms_id, saved_by, network_id, ticket_count,
                     status, saved_booster, commitment, sealed_seed, saved_result, saved_mode, void_cause)
  select at, at, at + interval '1 minute', case when given.status <> 'open' then at end, case given.status when 'void' then at end,
         case when mode is not null then at end, gen_random_uuid(), g.id, terms.id, case when mode is not null then gen_random_uuid() end, 1,
         case when given.status <> 'open' then 0 end, given.status::draw_status, case when mode is not null then 1 end, '', '',
         case when mode is not null then '{}'::json end, mode, case given.status when 'void' then 'operator' end::void_cause
  from (values (1, 'g', 'open', null), (2, 'g', 'closed', 'open'), (3, 'open', 'closed', 'two-person'), (4, 'open', 'closed', 'open'),
               (5, 'open', 'void', 'open')) as given (k, game, status, mode),
       lateral (select '2026-03-10T10:00Z'::timestamptz + k * interval '1 minute' as at) as times, games g, draw_terms terms
  where g.game_key = given.game;
  insert into networks (admin_id) values ('${OLD}'), ('${RESET}');
  insert into accounts (created_at, id, parent_id, network_id, commission, active, role, username, unique_id, password_hash, note, chain)
  values ('2026-01-01Z', '${TOP}', null, 0, 0, true, 'superadmin', 'top', 'S', '', '', '{${TOP}}'),
         ('2026-02-01Z', '${OLD}', '${TOP}', 1, 0, true, 'admin', 'old', 'A', '', '', '{${TOP},${OLD}}'),
         ('2026-02-01Z', '${RESET}', '${TOP}', 2, 0, true, 'admin', 'reset', 'B', '', '', '{${TOP},${RESET}}');
  insert into activity (network_id, seq, id, at, account_id, username, subject, url, method, ip, detail, hash, chain)
  values (0, 1, '${id(9)}', '2026-03-01Z', '${TOP}', 'top', '', '', '', '', '{"accountId": "${RESET}", "password": "changed"}', '', '{${TOP}}');`;

it('draws that run get what their game says, a result that was saved under two persons stays so, and whose password is known is known', async () => {
  await db.query(BEFORE);
  await migrate(ownerUrl);
  const draws = await db.query<DrawTerms & { id: string; status: string }>(
    'select d.status, t.* from draws d join draw_terms t on t.id = d.terms_id order by d.opens_at',
  );
  expect(draws.map(({ status, result_mode, manual_claims }) => [status, result_mode, manual_claims])).toEqual([
    ['open', 'two-person', true],
    ['closed', 'two-person', true],
    ['closed', 'two-person', false],
    ['closed', 'open', false],
    ['void', null, null],
  ]);
  for (const draw of draws.slice(0, 4)) expect(termsId(draw)).toBe(draw.id);
  expect(
    await db.query('select username, password_set_by as by, password_set_at as at from accounts order by username'),
  ).toEqual([
    { username: 'old', by: TOP, at: new Date('2026-02-01Z') },
    { username: 'reset', by: TOP, at: new Date('2026-03-01Z') },
    { username: 'top', by: null, at: null },
  ]);
});
