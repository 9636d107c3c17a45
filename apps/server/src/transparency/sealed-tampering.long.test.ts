import { SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { UNSEALED_TABLES } from '../../test/unsealed-tables.ts';
import { activityText, type ActivityRow } from '@drawhouse/rules/records/activity-row';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playHistory, type ClearingWorld } from '../../test/worlds/clearing-world.ts';
import { TestApp } from '../../test/harness.ts';
import type { TestSeals } from '../../test/worlds/sealed-world.ts';
import { oneOf, sealEveryKind } from '../../test/tampering/seal-every-kind.ts';
import type { Queryable } from '../platform/db/database.ts';

let t: TestApp;
let seals: TestSeals;
let world: ClearingWorld;

const TABLES = Object.keys(SEALED_TABLES);
const of = (table: string): RegExp => new RegExp(`^${table} \\(`);

beforeAll(async () => {
  t = await TestApp.start();
  world = await playHistory(t);
  seals = await sealEveryKind(t, world.net.networkId);
});
afterAll(async () => {
  await t.close();
  await seals.remove();
});

function filled(sql: string): string {
  const { net, claimed } = world;
  const ids: Record<string, string | number> = { network: net.networkId, claimed };
  for (const [name, account] of Object.entries(net)) if (typeof account !== 'number') ids[name] = account._id;
  return sql.replace(/(?<!:):([a-z]+)\b/g, (_all, name: string) => `'${ids[name]}'`);
}

async function chainAnew(on: Queryable): Promise<void> {
  const rows = await on.query<ActivityRow & { network_id: number }>('select * from activity order by network_id, seq');
  for (const [networkId, log] of Map.groupBy(rows, (row) => row.network_id)) {
    let hash: Buffer = Buffer.alloc(32);
    for (const row of log) {
      hash = createHash('sha256').update(hash).update(activityText(row)).digest();
      await on.query('update activity set hash = $3 where network_id = $1 and seq = $2', [networkId, row.seq, hash]);
    }
    await on.query('update activity_heads set hash = $2, seq = $3 where network_id = $1', [
      networkId,
      hash,
      log.at(-1)!.seq,
    ]);
  }
}

const SETTLED = "status = 'settled' and source = 'generated'";

/** `anew` recomputes log hashes; `fits`: only the seals detect it. */
type Tampered = [what: string, table: string, sql: string, ...how: ('anew' | 'fits')[]];

const ROWS: Tampered[] = [
  ["an account's active flag", 'accounts', 'update accounts set active = not active where id = :user', 'fits'],
  ["an account's username", 'accounts', "update accounts set username = 'somebody' where id = :user", 'fits'],
  [
    "an account's password",
    'accounts',
    "update accounts set password_hash = password_hash || 'x' where id = :admin",
    'fits',
  ],
  [
    'a password and its setter, to fake a second person',
    'accounts',
    "update accounts set password_hash = 'x', password_set_at = null, password_set_by = null where id = :admin",
    'fits',
  ],
  [
    "a parent, its chain and the log's chains",
    'accounts',
    `update accounts set parent_id = :distributor, chain = chain[1:4] || id where id = :user;
     update activity set chain = chain[1:4] || account_id where account_id = :user`,
  ],
  ['a daily limit', 'accounts', 'update accounts set daily_limit = 1 where id = :retailer', 'fits'],
  [
    'a commission and its log row',
    'accounts',
    `update accounts set commission = commission + 100 where id = :retailer;
     update activity set detail = detail || '{"commission":6}' where detail ? 'commission' and detail ->> 'accountId' = (:retailer)::text`,
    'anew',
  ],
  ["a settlement's carried remainder", 'settled_remainders', 'update settled_remainders set after = after + 1'],
  ['cleared remainders', 'cleared_remainders', 'update cleared_remainders set change = change + 1'],
  ['a commission rate change', 'rate_changes', 'update rate_changes set before = before + 1'],
  [
    'an added account',
    'accounts',
    "insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'unique_id', " +
      "'u', 'username', 'u'))).* from accounts a where id = :user",
  ],
  ['a deleted account row', 'accounts', 'delete from accounts where id = :user'],
  ["a network's admin", 'networks', 'update networks set admin_id = gen_random_uuid() where id = :network'],
  ['a pinned setting', 'pinned_settings', "update pinned_settings set value = 'x' where name = 'installation'", 'fits'],
  [
    'limits and their log row',
    'network_games',
    `update network_games set per_ticket = 1; update activity set detail = detail - 'limits' where detail ? 'limits'`,
    'anew',
  ],
  ['a win percentage', 'network_games', 'update network_games set win_percentage = 9999'],
  ["a network's game", 'network_games', 'delete from network_games', 'fits'],
  ["a game's price and pays", 'games', `update games set unit_price = 7, pays = '{"number":901}'`],
  ["a game's manual claims", 'games', 'update games set manual_claims = not manual_claims'],
  ["an outcome's picture", 'game_images', "update game_images set hash = sha256('x')"],
  ["an interval's seconds", 'times', 'update times set seconds = seconds + 1', 'fits'],
  ["a schedule's plan", 'schedules', `update schedules set plan = '{"times": []}'`, 'fits'],
  ["a game's interval", 'game_times', 'update game_times set time_id = gen_random_uuid()', 'fits'],
  ['draw terms', 'draw_terms', `update draw_terms set pays = '{"number":1000}'`],
  [
    "a draw's times",
    'draws',
    "update draws set opens_at = opens_at - interval '1 minute', closes_at = closes_at - interval '1 minute' where " +
      oneOf('draws', SETTLED),
  ],
  [
    'a result, its seed and commitment',
    'draws',
    "update draws set seed = sha256('x'), commitment = sha256(sha256('x')), result = '{\"drawno\":\"1\"}', result_label " +
      `= '1' where ${oneOf('draws', SETTLED)}`,
  ],
  [
    "a draw's closing time",
    'draws',
    `update draws set closed_at = closed_at + interval '1 second' where ${oneOf('draws', SETTLED)}`,
    'fits',
  ],
  [
    "a result's declarer and address",
    'draws',
    "update draws set saved_by = :superadmin, saved_ip = '1.2.3.4' where saved_by is not null",
  ],
  ['a deleted draw without tickets', 'draws', 'delete from draws where ticket_count = 0'],
  [
    'a deleted ticket with all its rows',
    'tickets',
    'delete from transfers where reference = :claimed; delete from ticket_wins where ticket_id = :claimed; delete ' +
      'from ticket_claims where ticket_id = :claimed; delete from tickets where id = :claimed',
  ],
  [
    'an added ticket',
    'tickets',
    "insert into tickets select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'request', " +
      'gen_random_uuid()))).* from tickets k where id = :claimed',
  ],
  [
    "a ticket's player, with its movements",
    'tickets',
    `update tickets set account_id = :retailer where id = :claimed; update transfers set actor_id = :retailer where reference = :claimed`,
  ],
  [
    "a ticket's draw and digest",
    'tickets',
    `update tickets set draw_id = (select id from draws where ${SETTLED} limit 1), digest = sha256('x') where id = :claimed`,
  ],
  [
    "a ticket's lines, digest and root",
    'tickets',
    "update tickets set lines = '1*10', digest = sha256('x') where id = :claimed; update draws set ticket_root = " +
      "sha256('x') where id = (select draw_id from tickets where id = :claimed)",
  ],
  ["a ticket's address", 'tickets', "update tickets set ip = '1.2.3.4' where id = :claimed", 'fits'],
  ["a ticket's win", 'ticket_wins', 'update ticket_wins set win = win + 1 where ticket_id = :claimed'],
  ["a claim's time", 'ticket_claims', "update ticket_claims set claimed_at = claimed_at - interval '1 day'"],
  ['a deleted claim', 'ticket_claims', 'delete from ticket_claims'],
  [
    "a ticket's print time",
    'ticket_prints',
    "update ticket_prints set printed_at = printed_at - interval '1 day'",
    'fits',
  ],
  [
    "a player's settlement and its sums",
    'player_settlements',
    'update player_settlements set win = win + 1; update rollups set win = win + 1',
  ],
  [
    "a draw's settlement time",
    'draw_settlements',
    "update draw_settlements set settled_at = settled_at + interval '1 second'",
  ],
  ['the start of a settlement', 'draw_settlings', 'update draw_settlings set win = win + 1'],
  ['a piece of a settlement', 'settlement_pieces', 'update settlement_pieces set players = players + 1'],
  [
    'both halves and the log row of a payout',
    'transfers',
    'update transfers set amount = amount + 1 where kind = 12; update activity set detail = detail || \'{"amount":1}\' ' +
      "where detail ? 'transferId'",
    'anew',
  ],
  [
    'a deleted transfer and its log row',
    'transfers',
    `delete from transfers where kind = 3; delete from activity where detail ? 'transferId'`,
  ],
  [
    'an added transfer',
    'transfers',
    "insert into transfers select (jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid(), " +
      "'from_version', from_version + 1000, 'to_version', to_version + 1000))).* from transfers f where kind = 3 limit 1",
  ],
  ["a transfer's note", 'transfers', "update transfers set note = 'a gift' where kind = 3"],
  [
    "a transfer's note and its log row",
    'transfers',
    'update transfers set note = \'a gift\' where kind = 3; update activity set detail = detail || \'{"note":"a gift"}\' ' +
      "where detail ->> 'transferId' in (select id::text from transfers where kind = 3)",
    'anew',
    'fits',
  ],
  ["a wallet's owner", 'wallets', 'update wallets set owner_id = :retailer where owner_id = :user'],
  [
    'an idempotency key',
    'idempotency_keys',
    "update idempotency_keys set answer = '{}', request_hash = sha256('x')",
    'fits',
  ],
  [
    "a day's holdings with an unchanged sum",
    'liability_days',
    'update liability_days set player_credit = player_credit + 1, tables = tables - 1',
  ],
  ['a deleted day', 'liability_days', 'delete from liability_days where network_id = :network'],
  [
    'a log row, with a recomputed hash chain',
    'activity',
    `update activity set ip = '1.2.3.4' where ${oneOf('activity', 'network_id = :network')}`,
    'anew',
    'fits',
  ],
  [
    'a deleted log row, with a recomputed hash chain',
    'activity',
    'delete from activity where network_id = :network and seq = 2; update activity set seq = -seq where network_id = ' +
      ':network and seq > 2; update activity set seq = -seq - 1 where network_id = :network and seq < 0',
    'anew',
  ],
  [
    'an added log row, with a recomputed hash chain',
    'activity',
    'update activity set seq = -seq where network_id = :network; insert into activity (written_by, seq, at, id, ' +
      'account_id, network_id, hash, chain, username, subject, url, method, ip) select written_by, 1, at, ' +
      "gen_random_uuid(), account_id, network_id, hash, chain, username, 'x', url, method, ip from activity where " +
      'network_id = :network and seq = -1; update activity set seq = 1 - seq where network_id = :network and seq < 0',
    'anew',
    'fits',
  ],
  [
    "a log row's account chain",
    'activity',
    `update activity set chain = chain[1:4] where ${oneOf('activity', 'cardinality(chain) > 4')}`,
  ],
  ["a session's time", 'past_sessions', "update past_sessions set began_at = began_at - interval '1 hour'", 'fits'],
  ["an API key's limits", 'api_keys', 'update api_keys set stake_per_day = 999999, ended_at = null'],
  ["an API key's name", 'api_keys', "update api_keys set name = 'x', key_hash = sha256('x')"],
  ['a second factor', 'factors', "update factors set secret = 'x'"],
  ["a player's protection", 'protections', 'update protections set stake_per_day = null, changes = changes + 1'],
  [
    'a protection change',
    'protection_changes',
    "update protection_changes set holds_from = holds_from + interval '1 day'",
  ],
  ["the house's name", 'house_settings', "update house_settings set name = 'Another'"],
  ['a landing page setting', 'landing_settings', 'update landing_settings set winners_shown = not winners_shown'],
  ['an approval rule', 'approval_rules', 'update approval_rules set above = 7'],
  ['the amount of a standing order', 'standing_orders', 'update standing_orders set amount = amount + 1'],
  ["a request's decision", 'approvals', "update approvals set state = 'approved', decided_by = account_id"],
  [
    'the role of a login',
    'logins',
    "update logins set role = case role when 'cashier' then 'manager' else 'cashier' end",
  ],
  ['an amount that was paid', 'week_payments', 'update week_payments set amount = amount + 1'],
  ['the terms of a week', 'week_terms', 'update week_terms set commission_with_week = not commission_with_week'],
  ['the balance of a closed week', 'week_closings', 'update week_closings set balance = balance + 1'],
  ['a note about a week', 'week_notes', "update week_notes set note = 'another'"],
  ['the reason of a correction', 'corrections', "update corrections set reason = 'another'"],
  ['what a correction moved', 'ticket_corrections', 'update ticket_corrections set moved = moved + 1'],
  ['an alert threshold', 'alert_thresholds', 'update alert_thresholds set worst_above = 7'],
  ["a clearing's count", 'clearings', 'update clearings set removed = removed + 1'],
  ["a cleared draw's sums", 'cleared_draws', 'update cleared_draws set win = win + 1'],
  ['a deleted cleared result', 'cleared_results', 'delete from cleared_results'],
  ["a cleared day's sums", 'cleared_days', 'update cleared_days set outside = outside + 1, tables = tables - 1'],
  [
    'a wallet gap with unchanged sums',
    'wallet_gaps',
    "update wallet_gaps set gained = gained + 5, spent = spent + 5, first_at = first_at - interval '1 day'",
  ],
  ['a log gap', 'activity_gaps', "update activity_gaps set last_hash = sha256('x')"],
  [
    "a cleared ticket's request",
    'cleared_requests',
    `update cleared_requests set request = gen_random_uuid() where ${oneOf('cleared_requests')}`,
  ],
  ["a clearing's marks", 'cleared_marks', 'update cleared_marks set marks = marks + 1'],
  ['a restore', 'restores', 'update restores set amount = amount + 1'],
  ["a restore's undone rows", 'undone_activity', 'delete from undone_activity'],
  ['a move', 'moves', 'update moves set amount = amount + 1'],
  [
    'moved log rows and their hash',
    'moved_activity',
    "update moved_activity set subject = subject || 'y'; update moves set told_hash = told_hash(network_id, id)",
  ],
  ['a deleted removal', 'removals', 'delete from removals'],
];

/** Derived data: the tampering SQL and the expected finding. */
const COMPARED: [table: string, sql: string, says: RegExp][] = [
  [
    'activity_heads',
    "update activity_heads set hash = sha256('x') where network_id = :network",
    /^activity of network \d+: the log ends at row/,
  ],
  [
    'images',
    "insert into images values (sha256('x'), 'y')",
    /^the picture [0-9a-f]{64} was changed: it does not match its hash$/,
  ],
  [
    'exposures',
    'update exposures set stake = stake + 1',
    /^draw .* shows 201 hundredths on 0, but its tickets come to 200$/,
  ],
  [
    'rollups',
    "update rollups set win = win + 1 where grain = 'day'",
    /^the day rollups of account .* do not equal the settlements/,
  ],
  [
    'claim_sums',
    'update claim_sums set held = held + 1',
    /^player .* has 1801 hundredths held and 0 claimed .*; the tickets say 1800 and 0$/,
  ],
  [
    'return_sums',
    'update return_sums set win = win - 1',
    /^the returns of game .* win 1799, .*; its generated draws come to .* win 1800/,
  ],
  [
    'api_key_days',
    "insert into api_key_days (network_id, number, day, tickets, stake) values (:network, 1, '2026-03-10', 1, 1)",
    /^API key 1 of network \d+ has bet 0 tickets of 0 hundredths, its days say 1 of 1$/,
  ],
];

describe('with seals the audit names', () => {
  let before: string[];
  beforeAll(async () => {
    before = (await seals.foundAfter('select 1', { withRest: true })).rest;
  });

  it.each(ROWS)('%s', async (_what, table, sql, ...how) => {
    const withRest = how.includes('fits');
    const { sealed, rest } = await seals.foundAfter(
      async (on) => {
        for (const statement of filled(sql).split(';')) await on.query(statement);
        if (how.includes('anew')) await chainAnew(on);
      },
      { withRest },
    );
    expect(sealed).toContainEqual(expect.stringMatching(of(table)));
    if (withRest) expect(rest.filter((problem) => !before.includes(problem))).toEqual([]);
  });

  it('records of each kind', () => {
    expect(new Set(ROWS.map(([, table]) => table))).toEqual(new Set(TABLES));
  });
});

describe('with seals the audit detects a change', () => {
  it.each(COMPARED)('of %s', async (_table, sql, says) => {
    const { rest } = await seals.foundAfter(filled(sql), { withRest: true });
    expect(rest).toContainEqual(expect.stringMatching(says));
  });

  it('in each compared kind', () => {
    const compared = Object.entries(UNSEALED_TABLES).filter(([, why]) => why.includes('the audit compares them'));
    expect(compared.map(([table]) => table).toSorted()).toEqual(COMPARED.map(([table]) => table).toSorted());
  });
});

it('a ticket changed as if new is resealed and missed in its batch', async () => {
  await t.db.query("update tickets set ip = '9.9.9.9', written_by = pg_current_xact_id() where id = $1", [
    world.claimed,
  ]);
  await seals.seal();
  expect(await seals.problems()).toEqual([
    expect.stringMatching(/^tickets \(.*\) was removed after it was sealed, as record \d+$/),
  ]);
});

it('a record changed as if new is resealed and named with two contents', async () => {
  await t.db.query(
    "update ticket_claims set claimed_at = claimed_at - interval '1 day', written_by = pg_current_xact_id()",
  );
  await seals.seal();
  expect(await seals.problems()).toContainEqual(
    expect.stringMatching(/^ticket_claims \(.*\) was sealed with different contents in records \d+ and \d+$/),
  );
});

describe('a plain SQL change that was resealed', () => {
  const changes: [what: string, sql: string, says: RegExp][] = [
    [
      "a draw's terms",
      `update draws set terms_id = gen_random_uuid() where ${oneOf('draws', "status = 'open'")}`,
      /^draws \(.*\) was changed: record \d+ does not allow the terms_id of record \d+$/,
    ],
    [
      "an ended draw's result",
      `update draws set result_label = 'x' where ${oneOf('draws', SETTLED)}`,
      /^draws \(.*\) was changed: record \d+ does not allow the result_label of/,
    ],
    [
      "an ended draw's state",
      `update draws set status = 'closed' where ${oneOf('draws', "status = 'void'")}`,
      /^draws \(.*\) was changed: record \d+ does not allow the status of/,
    ],
    [
      "another request's idempotency key",
      "update idempotency_keys set request_hash = sha256('y')",
      /^idempotency_keys \(.*\) was changed: record \d+ does not allow the request_hash of/,
    ],
    [
      "a network's admin",
      'update networks set admin_id = gen_random_uuid() where id <> 0',
      /^networks \(id \d+\) was changed: record \d+ does not allow the admin_id of/,
    ],
    [
      'a finished clearing',
      "update clearings set finished_at = finished_at + interval '1 second'",
      /^clearings \(.*\) was changed: record \d+ does not allow the finished_at of/,
    ],
    [
      "a log row's transaction, to explain another change",
      'update activity set written_by = pg_current_xact_id() where network_id = 0 and seq = 1',
      /^activity \(network_id 0, seq 1\) was sealed again unchanged: record \d+ repeats record \d+/,
    ],
  ];
  let found: string[];
  beforeAll(async () => {
    await t.db.query("update clearings set finished_at = '2026-03-12' where finished_at is null");
    await seals.seal();
    for (const [, sql] of changes) await t.db.query(sql);
    await seals.seal();
    found = await seals.problems();
  });

  it.each(changes)('is detected: %s', (_what, _sql, says) => {
    expect(found).toContainEqual(expect.stringMatching(says));
  });
});

describe('a record briefly inflated so only its hash is sealed', () => {
  const LONG = "repeat('x', 70000)";
  const blown: [table: string, sql: string, back: string][] = [
    [
      'draws',
      `update draws set result = ('{"drawno":"' || ${LONG} || '"}')::json where ${oneOf('draws', SETTLED)}`,
      `update draws set result = '{"drawno":"1"}', seed = sha256('z'), commitment = sha256(sha256('z')) where ${oneOf('draws', SETTLED)}`,
    ],
    [
      'clearings',
      `update clearings set username = ${LONG} where ${oneOf('clearings')}`,
      `update clearings set username = 'x' where ${oneOf('clearings')}`,
    ],
  ];
  /** With a long response, and the expected finding. */
  const key = (name: string): RegExp => new RegExp(String.raw`^idempotency_keys \(.*, key ${name}\) (.*)$`);
  const keys = `insert into idempotency_keys (network_id, account_id, key, request_hash, at, answer) values
     (0, :superadmin, 'long-at-once', '', now(), to_jsonb(${LONG})), (0, :superadmin, 'long-later', '', now(), null),
     (0, :superadmin, 'short', '', now(), '1'), (0, :superadmin, 'other-answer', '', now(), to_jsonb(${LONG}))`;
  let found: string[];
  beforeAll(async () => {
    await t.db.query(filled(keys));
    for (const [, sql] of blown) await t.db.query(sql);
    await seals.seal();
    await t.db.query(
      `update idempotency_keys set answer = to_jsonb(${LONG}) where key in ('long-later', 'short');
       update idempotency_keys set written_by = pg_current_xact_id() where key = 'long-at-once';
       update idempotency_keys set answer = '2' where key = 'other-answer'`,
    );
    for (const [, , back] of blown) await t.db.query(back);
    await seals.seal();
    found = await seals.problems();
  });

  it.each(blown)('is named: of %s', (table) => {
    const says = String.raw`^${table} \(.*\) was too long, so record \d+ seals only its hash, and its contents can't be followed$`;
    expect(found).toContainEqual(expect.stringMatching(new RegExp(says)));
  });

  it('is accepted for a legitimately long answer that stays', () => {
    const keysNamed = (name: string): string[] => found.flatMap((problem) => key(name).exec(problem)?.[1] ?? []);
    expect(keysNamed('long-at-once')).toEqual([]);
    expect(keysNamed('long-later')).toEqual([]);
    expect(keysNamed('short')).toEqual([expect.stringMatching(/^was too long, so record \d+ seals only its hash/)]);
    expect(keysNamed('other-answer')).toEqual([
      expect.stringMatching(
        /^was changed: record \d+ has only its hash, which does not allow different contents in record \d+$/,
      ),
    ]);
  });
});

it('a network rewritten as if restored, and resealed, is detected', async () => {
  await t.db.query('update networks set written_by = pg_current_xact_id() where id = 0');
  await seals.seal();
  expect(await seals.problems()).toContainEqual(expect.stringMatching(/^networks \(id 0\) was sealed again unchanged/));
});
