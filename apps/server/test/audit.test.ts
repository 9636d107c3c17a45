import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../src/audit.ts';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100, commissions: { retailer: 5 } });
  await t.bet(net.user, { 1: 10, 2: 10 });
  await t.finishDraw();
  await t.bet(net.user, { 3: 10 });
  // A second transfer that takes a wallet from nothing to 100.
  await t.give(net.superadmin, net.superadmin, 100);
  await t.expectBooksToBalance();
});
afterAll(() => t.close());

/** Each row broken by hand, as only a person with the database's password could, and what the audit must say of it. */
const BREAKS: [string, string, RegExp[]][] = [
  [
    'a balance',
    "update wallets set balance = balance + 1 where owner_id = $1 and kind = 'credit'",
    [/wallet .* \(credit\) of network .* its transfers come to/, /wallets of network .* sum to 1 hundredths/],
  ],
  [
    'a transfer',
    "update transfers set amount = amount + 1 where kind = 'credit' and credit_wallet in (select id from wallets where owner_id = $1)",
    [/its transfers come to/],
  ],
  [
    'a balance that a transfer tells',
    "update transfers set debit_balance = debit_balance + 7 where kind = 'stake' and actor_id = $1 and id = (select id from transfers where kind = 'stake' order by id limit 1)",
    [/transfer .* says that wallet .* had \d+ hundredths after it; it had \d+/],
  ],
  [
    'two equal balances that transfers tell',
    "update transfers set credit_balance = credit_balance + 9 where kind = 'issue' and $1::uuid is not null",
    [/transfer .* says that wallet .* had \d+ hundredths after it; it had \d+/],
  ],
  [
    'a latest transfer',
    "update wallets set last_transfer = gen_random_uuid() where owner_id = $1 and kind = 'credit'",
    [/wallet .* \(credit\) of network .* has .* as its latest transfer, it is /],
  ],
  [
    'a transfer into nowhere',
    "update transfers set credit_wallet = gen_random_uuid() where kind = 'credit' and credit_wallet in (select id from wallets where owner_id = $1)",
    [/transfer .* names a wallet that does not exist/, /its transfers come to/],
  ],
  ['a missing transfer', "delete from transfers where kind = 'stake' and actor_id = $1", [/its transfers come to/]],
  [
    'a boundary',
    "update wallets set balance = balance + 1 where kind = 'boundary' and network_id = (select network_id from accounts where id = $1)",
    [/boundary wallets of network .* sum to 1 hundredths/],
  ],
  [
    'a wallet below zero',
    "alter table wallets drop constraint wallets_check; update wallets set balance = -5 where owner_id = '$1' and kind = 'credit'",
    [/wallet .* \(credit\) .* has -5 hundredths/],
  ],
  [
    'an escrow',
    'delete from tickets where account_id = $1 and win is null',
    [
      /escrow of game .* has 1000 hundredths, its undrawn tickets come to 0/,
      /shows 1000 hundredths, its tickets come to 0/,
    ],
  ],
  [
    'a win that was not paid',
    'update tickets set win = 7777 where account_id = $1',
    [/won 7777 hundredths and was paid/],
  ],
  [
    'a log row',
    "update activity set subject = 'Nothing happened' where account_id = $1 and seq = (select min(seq) from activity where account_id = $1)",
    [/activity of network .* row \d+ was changed/],
  ],
  [
    'a missing log row',
    'delete from activity where account_id = $1 and seq = (select min(seq) from activity where account_id = $1)',
    [/the rows from \d+ to \d+ are missing/],
  ],
  [
    'a cut log',
    'delete from activity a where (network_id, seq) in (select network_id, max(seq) from activity group by network_id) and $1::uuid is not null',
    [/the log ends at row \d+, its head says \d+/],
  ],
  [
    'the lines of a ticket',
    `update tickets set lines = jsonb_set(lines, '{0,key}', '"9"') where account_id = $1`,
    [/ticket .* was changed/],
  ],
  [
    'a ticket that was taken out of a closed draw',
    "update tickets set digest = sha256('other') where account_id = $1 and win is not null",
    [/draw .* was closed with 1 tickets/],
  ],
  [
    'a win that was wiped out',
    'update tickets set win = null where account_id = $1',
    [/has no win, its draw is settled/],
  ],
  [
    'a settlement',
    'update player_settlements set stake = stake + 1 where account_id = $1',
    [/settlement of player .* does not equal the tickets/, /the day rollups of account/],
  ],
  [
    'a rollup',
    "update rollups set win = win + 1 where account_id = $1 and grain = 'quarter'",
    [/the quarter rollups of account .* do not equal the settlements/],
  ],
];

it.each(BREAKS)('names %s that was changed by hand', async (_name, sql, expected) => {
  const undo = new Error('undo');
  const found: string[] = [];
  const broken = t.db.transaction(async (tx) => {
    if (sql.includes("'$1'")) await tx.query(sql.replace('$1', net.user._id));
    else await tx.query(sql, [net.user._id]);
    found.push(...(await audit(tx)).flatMap((check) => check.problems));
    throw undo;
  });
  await expect(broken).rejects.toBe(undo);
  for (const pattern of expected) expect(found).toContainEqual(expect.stringMatching(pattern));
});
