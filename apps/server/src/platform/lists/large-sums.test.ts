import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog, logEntry } from '@drawhouse/contract/activity/activity';
import { hundredthsIn, parseExactly } from '@drawhouse/contract/core/primitives';
import { liabilityDays, liabilityReport } from '@drawhouse/contract/liability/liability';
import { adminCommission, pendingCommissions } from '@drawhouse/contract/reports/commission';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { returnsReport } from '@drawhouse/contract/reports/returns';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type SignedIn } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

/** Three exceed 2^53 hundredths; a double loses the decimals of their sum. */
const EACH = 3_518_437_208_883_197n;
const SUM_TEXT = '105553116266495.91';

let t: TestApp;
let root: SignedIn;
let admin: SignedIn;

// Negative tables or years of play can add up beyond all circulating credit. Inserted directly.
beforeAll(async () => {
  t = await TestApp.start();
  const networks = [await t.network({ credit: 0 }), await t.network({ credit: 0 }), await t.network({ credit: 0 })];
  ({ superadmin: root, admin } = networks[0]!);
  await t.give(root, root, 10);
  const credit = `kind = ${WALLET_KINDS.credit}`;
  const admins = networks.map((net) => net.admin._id);
  await t.db.query(`update wallets set balance = $1 where ${credit} and owner_id = any($2)`, [EACH, admins]);
  await t.db.query(
    `insert into rollups (network_id, game_id, grain, starts_at, account_id, stake, win, super_commission, dist_commission,
     retail_commission, user_commission)
     select ng.network_id, ng.game_id, grain, date_trunc('day', $1::timestamptz, 'Asia/Kolkata') - interval '2 days',
       up.id, $2, 1, 0, 0, 0, 0
     from network_games ng join accounts player on player.network_id = ng.network_id and player.role = 'user'
          cross join lateral unnest(player.chain) as up (id), unnest(array['day', 'quarter']) as grain`,
    [t.clock.now(), EACH],
  );
});
afterAll(() => t.close());

const get = (path: string) =>
  t.app.http.inject({ url: `/api/${path}`, headers: { authorization: `Bearer ${root.token}` } });
const PERIOD = 'startDate=2026-01-01T00:00:00.000Z&endDate=2026-12-31T00:00:00.000Z';

describe('a sum past 2^53 hundredths', () => {
  it('is a JSON number with every digit', async () => {
    const { body } = await get(liabilityReport.route.path);
    const { totals } = parseExactly(body) as { totals: Record<string, number> };
    expect(hundredthsIn(totals['staffCredit']!)).toBe(3n * EACH);
    expect(body).toContain(`"staffCredit":${SUM_TEXT}`);
  });

  it('has every digit in exports', async () => {
    const { statusCode, body } = await get(`${liabilityReport.route.path}/csv`);
    expect([statusCode, body.includes(SUM_TEXT)]).toEqual([200, true]);
    const xlsx = await get(`${liabilityReport.route.path}/xlsx`);
    expect(xlsx.statusCode).toBe(200);
    const { sheets } = await readXlsx(new Uint8Array(xlsx.rawPayload));
    expect(sheets[0]!.rows.at(-1)).toContain(SUM_TEXT);
  });

  it('is exact in the turnover and its exports', async () => {
    const { body } = await get(`${turnoverReport.route.path}?${PERIOD}`);
    expect(body).toContain(`"totalPlayPoints":${SUM_TEXT}`);
    for (const { route } of turnoverReport.files) {
      const file = await get(`${route.path}?${PERIOD}`);
      expect(file.statusCode).toBe(200);
      if (route.path.endsWith('csv')) expect(file.body).toContain(SUM_TEXT);
    }
  });

  it('breaks no other list, report or export', async () => {
    const lists = [
      accountLists.admin,
      transactionReport,
      adminCommission,
      pendingCommissions,
      returnsReport,
      liabilityDays,
    ];
    for (const { route, files } of lists)
      for (const path of [route.path, ...files.map((file) => file.route.path)])
        expect([path, (await get(`${path}?${PERIOD}`)).statusCode]).toEqual([path, 200]);
    expect((await get(dashboard.path)).statusCode).toBe(200);
  });

  it('in one wallet is exact in answers, repeated calls and the log', async () => {
    await t.db.query('update wallets set balance = $1 where kind = $2 and owner_id = $3', [
      3n * EACH - 1n,
      WALLET_KINDS.credit,
      admin._id,
    ]);
    const give = () =>
      t.app.http.inject({
        method: 'POST',
        url: `/api/${accountRoutes.admin.creditTransfer.path}`,
        headers: { authorization: `Bearer ${root.token}`, 'idempotency-key': 'one of two' },
        payload: { toUserId: admin._id, transferAmount: 0.01, password: PASSWORD },
      });
    const [first, again] = [await give(), await give()];
    expect(first.body).toContain(`"receiverWallet":${SUM_TEXT}`);
    expect(again.body).toBe(first.body);
    const { data } = await t.ok(activityLog.route, { query: { search: 'Gave 0.01' } }, root);
    const { body } = await get(logEntry.path.replace(':id', data[0]!._id));
    expect(body).toContain('105,553,116,266,495.91');
  });
});
