import { expect, it } from 'vitest';
import { auditActivity } from '../src/audit/audit-activity.ts';
import { activityHash, FIRST_HASH } from '../src/activity/append-activity.ts';
import type { ActivityRow } from '../src/activity/append-activity.ts';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0015', (...given) => ([db, ownerUrl] = given));

const id = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [TOP, ADMIN, SUPER, GONE] = [id(1), id(2), id(3), id(4)];

const ACCOUNTS = `
  insert into networks (admin_id) values ('${ADMIN}');
  insert into accounts (created_at, id, parent_id, network_id, commission, active, role, username, unique_id, password_hash, note, chain)
  values (now(), '${TOP}', null, 0, 0, true, 'superadmin', 'top', 'S', '', '', '{${TOP}}'),
         (now(), '${ADMIN}', '${TOP}', 1, 0, true, 'admin', 'admin', 'A', '', '', '{${TOP},${ADMIN}}'),
         (now(), '${SUPER}', '${ADMIN}', 1, 0, true, 'superdistributor', 'super', 'D', '', '', '{${TOP},${ADMIN},${SUPER}}')`;

/** A row of the release before, with its hash. */
async function append(network: number, seq: bigint, accountId: string | null, previous: Buffer): Promise<Buffer> {
  const row: ActivityRow = {
    seq,
    id: id(100 * (network + 1) + Number(seq)),
    at: new Date('2026-03-10T10:00:00Z'),
    account_id: accountId,
    username: 'name',
    subject: 'Signed in',
    url: '/',
    method: 'POST',
    ip: '::1',
    detail: { amount: 5 },
  };
  const hash = activityHash(previous, row);
  await db.query(
    `insert into activity (network_id, hash, seq, id, at, account_id, username, subject, url, method, ip, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [network, hash, ...Object.values(row)],
  );
  return hash;
}

it('rows of the release before are of the chain of whoever did them, and their hashes hold', async () => {
  await db.query(ACCOUNTS);
  for (const [network, doers] of [
    [0, [TOP, null]],
    [1, [SUPER, null, ADMIN, GONE]],
  ] as const) {
    let hash = FIRST_HASH;
    for (const [index, doer] of doers.entries()) hash = await append(network, BigInt(index + 1), doer, hash);
    await db.query(
      `insert into activity_heads (network_id, seq, hash, last_at, last_id)
       select $1, $2, $3, at, id from activity where network_id = $1 and seq = $2`,
      [network, doers.length, hash],
    );
  }
  const before = await db.query('select to_jsonb(l)::text from activity l order by network_id, seq');
  await migrate(ownerUrl);
  expect(
    await db.query(
      `select (to_jsonb(l) - array['chain', 'superadmin_id', 'superdistributor_id', 'distributor_id', 'retailer_id'])::text as to_jsonb from activity l order by network_id, seq`,
    ),
  ).toEqual(before);
  expect(await db.query('select chain from activity order by network_id, seq')).toEqual(
    [[TOP], [TOP], [TOP, ADMIN, SUPER], [TOP, ADMIN], [TOP, ADMIN], []].map((chain) => ({ chain })),
  );
  expect((await auditActivity(db)).flatMap(({ problems }) => problems)).toEqual([]);
});
