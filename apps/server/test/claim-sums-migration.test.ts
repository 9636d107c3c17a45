import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0017', (...given) => ([db, ownerUrl] = given));

/** Wins of one player: paid at once, held on either side of midnight in Kolkata, and of those one claimed on the later day. */
const BEFORE = `
  insert into pinned_settings (name, value) values ('time-zone', 'Asia/Kolkata');
  create temporary table won (draw uuid, ticket uuid, win bigint, at timestamptz, manual boolean, claimed_at timestamptz);
  insert into won values
    (gen_random_uuid(), gen_random_uuid(), 100, '2026-03-10T12:00Z', false, null),
    (gen_random_uuid(), gen_random_uuid(), 20, '2026-03-10T18:00Z', true, null),
    (gen_random_uuid(), gen_random_uuid(), 3, '2026-03-10T18:29Z', true, '2026-03-10T18:31Z'),
    (gen_random_uuid(), gen_random_uuid(), 0, '2026-03-10T18:00Z', true, null);
  insert into draw_settlements (settled_at, log_seq, root_log_seq, draw_id, network_id, manual_claims) select at, 0, 0, draw, 1, manual from won;
  insert into player_settlements select 50, win, 0, 0, 0, 0, draw, '00000000-0000-7000-8000-000000000001', 1 from won;
  insert into tickets (stake, placed_at, id, draw_id, account_id, request, request_hash, network_id, digest, lines)
    select 50, at, ticket, draw, '00000000-0000-7000-8000-000000000001', gen_random_uuid(), gen_random_uuid(), 1, 'digest', '1*1' from won;
  insert into ticket_wins (win, ticket_id, draw_id, network_id) select win, ticket, draw, 1 from won where win > 0;
  insert into ticket_claims (claimed_at, ticket_id, network_id) select claimed_at, ticket, 1 from won where claimed_at is not null`;

it('what was held and claimed before is summed by the day on which it was', async () => {
  await db.transaction((tx) => tx.query(BEFORE));
  await migrate(ownerUrl);
  expect(await db.query('select starts_at, held, claimed from claim_sums order by starts_at')).toEqual([
    { starts_at: new Date('2026-03-09T18:30:00Z'), held: 23n, claimed: 0n },
    { starts_at: new Date('2026-03-10T18:30:00Z'), held: 0n, claimed: 3n },
  ]);
});
