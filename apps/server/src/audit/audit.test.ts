import { LOGGED_TABLES } from '@drawhouse/rules/records/changed-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { playNetwork, type PlayedNetwork } from '../../test/worlds/audit-world.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';
import {
  again,
  CREDIT_OF_PLAYER,
  cut,
  expectNamed,
  first,
  OF_PLAYER,
  reopened,
  SETTLED,
  UNSETTLED,
  WON,
  type Break,
} from '../../test/tampering/tampered-books.ts';
import { isWhole } from '../../test/test-tier.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { auditCredit } from './books/audit-credit.ts';

let t: TestApp;
let world: PlayedNetwork;

beforeAll(async () => {
  t = await TestApp.start();
  world = await playNetwork(t);
  await t.expectBooksToBalance();
});
afterAll(() => t.close());

// One audit finds all. `npm run test:long` makes them separately.
const BOOKS: Break[] = [
  [
    "a wallet's balance",
    'update wallets set balance = balance + 1 where owner_id = :user and kind = :wallet.credit',
    /wallet .* \(credit\) of network .* its transfers come to/,
    /wallets of network .* sum to 1 hundredths/,
  ],
  [
    "a transfer's amount",
    `update transfers set amount = amount + 1 where kind = :transfer.give and to_wallet = ${CREDIT_OF_PLAYER}`,
    /its transfers come to/,
    /transfer .* has 20001 hundredths; row \d+ of the log of network .* says 20000/,
  ],
  [
    "a transfer's stated balance",
    `update transfers set from_balance = from_balance + 7 where ${first('transfers', 'kind = :transfer.stake and actor_id = :user')}`,
    /transfer .* says that wallet .* had \d+ hundredths after it; it had \d+/,
  ],
  [
    "two transfers' equal stated balances",
    'update transfers set to_balance = to_balance + 9 where kind = :transfer.issue',
    /transfer .* says that wallet .* had \d+ hundredths after it; it had \d+/,
  ],
  [
    "a transfer's version",
    `update transfers set to_version = to_version + 100 where kind = :transfer.win and ${OF_PLAYER} and to_version = 3`,
    /transfer .* is version 4 of wallet .*; the one before it is 2/,
    /transfer .* is version 103 of wallet .*; the one before it is 10/,
  ],
  [
    "the version of a wallet's first transfer",
    `update transfers t set from_version = 0 where ${first('transfers', 'kind = :transfer.issue')}`,
    /transfer .* is version 0 of wallet .*; the one before it is 0/,
    /transfer .* is version 2 of wallet .*; the one before it is 0/,
  ],
  [
    "a wallet's version",
    'update wallets set version = version + 1 where owner_id = :user and kind = :wallet.credit',
    /wallet .* of network .* is at version 11; its last transfer is 10/,
  ],
  [
    'a transfer to an unknown wallet',
    `update transfers set to_wallet = 4711 where kind = :transfer.give and to_wallet = ${CREDIT_OF_PLAYER}`,
    /transfer .* names wallet 4711, which does not exist/,
    /its transfers come to/,
  ],
  [
    "a boundary wallet's balance",
    'update wallets set balance = balance + 1 where kind = :wallet.boundary and network_id = :network',
    /boundary wallets of network .* sum to 1 hundredths/,
  ],
  [
    'a negative wallet balance',
    'alter table wallets drop constraint wallets_check; update wallets set balance = -5 where owner_id = :user and kind = :wallet.credit',
    /wallet .* \(credit\) .* has -5 hundredths/,
  ],
  [
    "a wallet's owner",
    `update wallets set owner_id = :random where id = ${CREDIT_OF_PLAYER}`,
    /the credit wallet of account .* in network .* is missing/,
    /wallet .* of network .* is the credit wallet of account .*, which has none there/,
  ],
  [
    "the owner of a game's wallet",
    'update wallets set owner_id = :random where kind = :wallet.escrow',
    /the escrow wallet of game .* in network .* is missing/,
    /wallet .* of network .* is the escrow of game .*, which does not exist/,
  ],
  [
    'a deleted half of a border transfer',
    `delete from transfers where network_id = :root and ${first('transfers', 'network_id = :root and kind = :transfer.give')}`,
    /transfer .* \(give of \d+ hundredths\) has no other half across the boundary of the network of/,
  ],
];

const CHANGES: Readonly<Record<string, Break>> = {
  networks: [
    "a network's admin",
    'update networks set admin_id = :user where id = :network',
    /networks \(id \d+\) was changed without a log row/,
  ],
  accounts: [
    'a password',
    "update accounts set password_hash = 'another' where id = :admin",
    /account .* \(admin .*\) of network .* was changed without a log row/,
  ],
  games: [
    "a game's description",
    "update games set description = 'Another' where game_key = 'funtargetbingo'",
    /the game .* was changed without a log row/,
  ],
  game_images: [
    "an outcome's picture",
    "insert into images values (sha256('x'), 'x'); insert into game_images select id, 0, sha256('x') from games limit 1",
    /game_images \(game_id .*, position 0\) was changed without a log row/,
  ],
  times: [
    "an interval's seconds",
    'update times set seconds = seconds + 1 where seconds = (select max(seconds) from times)',
    /times \(id .*\) was changed without a log row/,
  ],
  schedules: [
    'a schedule nobody made',
    "insert into schedules (id, name, plan) values (gen_random_uuid(), 'Another', '{}')",
    /the schedule Another was changed without a log row/,
  ],
  game_times: [
    "a game's interval",
    'update game_times set position = position + 7',
    /game_times \(game_id .*, position 8\) was changed without a log row/,
  ],
  network_games: [
    "a game's ticket limit",
    'update network_games set per_ticket = 100 where network_id = :network',
    /game .* of network .* was changed without a log row/,
  ],
  house_settings: [
    "the house's name",
    "insert into house_settings (id, name, help_line, age_notice, terms) values (1, 'Another', '', '', '')",
    /house_settings \(id 1\) was changed without a log row/,
  ],
  landing_settings: [
    'a landing page setting',
    'insert into landing_settings (network_id, winners_shown) values (:network, false)',
    /landing_settings \(network_id \d+\) was changed without a log row/,
  ],
  alert_thresholds: [
    'an alert threshold',
    'insert into alert_thresholds (network_id, table_below) values (:network, 5)',
    /alert_thresholds \(network_id \d+\) was changed without a log row/,
  ],
  api_keys: [
    'an API key',
    'insert into api_keys (network_id, number, id, made_by, made_at, key_hash, ending, name, addresses) values ' +
      "(:network, 1, :random, :admin, now(), sha256('k'), 'kkkk', 'k', '{}')",
    /api_keys \(network_id \d+, number 1\) was changed without a log row/,
  ],
  logins: [
    'a login',
    'insert into logins (network_id, account_id, number, created_at, password_set_at, password_set_by, role, username, name, ' +
      "password_hash) values (:network, :admin, 1, now(), now(), :admin, 'manager', 'm', 'M', 'k')",
    /logins \(network_id \d+, account_id .*, number 1\) was changed without a log row/,
  ],
  factors: [
    'a second factor',
    'insert into factors (network_id, account_id, number, made_at, kind, name) values ' +
      "(:network, :admin, 1, now(), 'app', 'Phone')",
    /factors \(network_id \d+, account_id .*, login 0, number 1\) was changed without a log row/,
  ],
  approval_rules: [
    'an approval rule',
    "insert into approval_rules (network_id, kind, above) values (:network, 'credit', 5)",
    /approval_rules \(network_id \d+, kind credit\) was changed without a log row/,
  ],
  standing_orders: [
    'a standing order',
    'insert into standing_orders (network_id, id, at, account_id, giver_id, login, kind, amount, measure) values ' +
      "(:network, :random, now(), :admin, :admin, 0, 'floor', 5, 'credit')",
    /standing_orders \(network_id \d+, id .*\) was changed without a log row/,
  ],
  approvals: [
    'a request for approval',
    'insert into approvals (network_id, number, id, at, expires_at, account_id, kind, method, path, url, ip, subject, input, changes) ' +
      "values (:network, 1, :random, now(), now(), :admin, 'credit', 'POST', 'x', '', '', 'x', '{}', '[]')",
    /approvals \(network_id \d+, number 1\) was changed without a log row/,
  ],
};

const LOGS: Break[] = [
  ...Object.values(CHANGES),
  [
    "an account's active flag",
    'update accounts set active = not active where id = :user',
    /account .* \(user .*\) of network .* was changed without a log row/,
  ],
  [
    "a log row's subject",
    "update activity set subject = 'Nothing happened' where account_id = :user and seq = (select min(seq) from " +
      'activity where account_id = :user)',
    /activity of network .* row \d+ was changed/,
  ],
  [
    "a log row's account chain",
    'update activity set chain = chain[:4] where account_id = :user and seq = (select min(seq) from activity where account_id = :user)',
    /activity of network .*: row \d+ is of {.*}; its author is {.*}/,
  ],
  [
    'a truncated log',
    'delete from activity where (network_id, seq) in (select network_id, max(seq) from activity group by network_id)',
    /the log ends at row \d+, but its head says \d+/,
  ],
  [
    'a truncated log with its head',
    cut(':network', 'Added the game balance'),
    /transfer .* \(table-add of 20000 hundredths\) is in no log, although every order is logged/,
    /transfer .* \(payout of \d+ hundredths\) is in no log, although every order is logged/,
    /transfer .* returns credit of account .*; no log says it was deleted/,
    /draw .* has the saved result .*; row \d+ of the log of network .* confirmed by nobody/,
  ],
  [
    'an unlogged transfer',
    again('kind = :transfer.table-add', 'null'),
    /transfer .* \(table-add of 20000 hundredths\) is in no log, although every order is logged/,
  ],
  [
    'an unknown transfer kind',
    'update transfers set kind = 99, actor_id = null where kind = :transfer.stake and actor_id = :other',
    /transfer .* \(kind 99 of 500 hundredths\) is in no log, although every order is logged/,
  ],
  [
    'a deleted logged transfer',
    `delete from transfers where kind = :transfer.give and network_id = :network and to_wallet = ${CREDIT_OF_PLAYER}`,
    /transfer .*, named in row \d+ of the log of network .*, is gone/,
  ],
  [
    'the time of one half of a border transfer',
    `update transfers set at = at - interval '1 day' where network_id = :root and kind = :transfer.give`,
    /transfer .* \(give of \d+ hundredths\) has no other half across the boundary of the network of/,
  ],
  [
    'an unlogged account',
    `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note, active, created_at)
     select :random, network_id, role, chain[1:5] || :random::uuid, parent_id, 'ghost', 'ghost', password_hash, 0, '', true, created_at
     from accounts where id = :user`,
    /account .* \(user ghost\) of network .* is in no log, although every creation is logged/,
  ],
  [
    'a commission and its grant by the admin',
    'update accounts set commission = 2100, commission_granted = false where id = :retailer',
    /account .* \(retailer .*\) of network .* has a commission of 2100 hundredths of a percent, but the log says 500/,
    /account .* \(retailer .*\) of network .* has a commission of 2100 hundredths of a percent; its parent has 250/,
    /commissions along the chain of account .* \(retailer .*\) of network .* sum to 2350 hundredths of a percent; the ceiling is 2000/,
  ],
  [
    "an account's role",
    "update accounts set role = 'retailer' where id = :user",
    /account .* \(retailer .*\) of network .* is not a user, as an account below its parent must be/,
  ],
  [
    "an account's chain",
    'update accounts set chain = chain[1:4] || id where id = :user',
    /account .* has the chain .*; below its parent it is/,
  ],
];

const DRAWS: Break[] = [
  [
    "a manually voided draw's seed",
    "update draws set seed = null, sealed_seed = '' where status = 'void'",
    /draw .* is void and its seed is missing; no log says that it could not be read/,
  ],
  [
    "a draw's closing time",
    "alter table draws alter column closed_at drop not null; update draws set closed_at = null where status = 'settled'",
    /draw .*: It is settled and lacks the time when it was closed/,
  ],
  [
    'infinite draw times',
    `update draws set opens_at = '-infinity', closes_at = 'infinity', draws_at = '294000-01-01'
     where id = (select id from draws where ${SETTLED('generated')} limit 1)`,
    /draw .*: It opens at -271821-04-20T00:00:00.000Z, closes at \+275760-09-13T00:00:00.000Z and is drawn at \+275760-09-13/,
  ],
  [
    'a saved booster without a saved result',
    `update draws set saved_booster = 3 where ${SETTLED('generated')}`,
    /draw .* has the declared result .*; no log has a declaration of it/,
  ],
  [
    'a value out of range, without hiding other findings',
    `alter table draw_terms alter column unit_price type numeric; update draw_terms set unit_price = 1e40;
     update wallets set balance = balance + 1 where owner_id = :user and kind = :wallet.credit`,
    /^each ticket can't be read: /,
    /wallets of network .* sum to 1 hundredths/,
  ],
  [
    "a game's limits",
    'update network_games set per_ticket = 500 where network_id = :network',
    /game funtargetbingo of network \d+ has the limits perNumber null, perTicket 5, perPlayer null, but the log says perNumber null, perTicket null, perPlayer null/,
  ],
  [
    "a draw's opening time",
    `update draws set opens_at = opens_at + interval '1 second' where ${SETTLED('generated')}`,
    /draw .*: It opens at .*, which matches no interval/,
  ],
  [
    "a draw's scheduled close",
    `update draws set closes_at = closes_at + interval '1 second' where ${SETTLED('generated')}`,
    /draw .*: It opens at .*, closes at .*, which matches no interval/,
  ],
  [
    'a generated result',
    `update draws set (result, result_label) = (case result ->> 'drawno' when '0' then '{"drawno":"1"}'::jsonb else '{"drawno":"0"}' end,
       case result ->> 'drawno' when '0' then '1' else '0' end) where ${SETTLED('generated')}`,
    /draw .*: The published result differs from the one that the seed gives/,
  ],
  [
    "a draw's seed",
    `update draws set seed = sha256('x') where ${SETTLED('declared')}`,
    /draw .*: The seed does not match the commitment/,
  ],
  [
    "a draw's commitment",
    `update draws set commitment = sha256('x') where status = 'void'`,
    /draw .*: The seed does not match the commitment/,
  ],
  [
    "a draw's seed and commitment",
    `${reopened('weights', "jsonb_build_array(0, 1e9) || jsonb_path_query_array(weights, '$[2 to last]')")};
     update draws set seed = decode(repeat('07', 32), 'hex'), commitment = sha256(decode(repeat('07', 32), 'hex'))
      where ${SETTLED('generated')}`,
    /draw .*: The published (result|booster) differs from the one that the seed gives/,
  ],
  [
    "a draw's booster odds",
    reopened('weights', "jsonb_set(jsonb_set(weights, '{0}', '999999999'), '{19}', '1')"),
    /draw .*: Its weights do not match the logged win percentage, none/,
  ],
  [
    "a game's win percentage",
    'update network_games set win_percentage = 9950',
    /game funtargetbingo of network \d+ has the win percentage 99.5, but the log says none/,
  ],
  [
    "a game's pays and unit price",
    `update games set pays = '{"number":901}', unit_price = 250 where game_key = 'funtargetbingo'`,
    /game funtargetbingo has 2.5 points a unit, {"number":9.01}, .*, but the log says 1 points a unit, {"number":9}/,
  ],
  [
    'a missing ticket root',
    "update draws set ticket_root = null where status = 'settled'",
    /draw .*: It is settled and lacks the root of its tickets/,
  ],
  [
    "a result's label",
    `update draws set result_label = '9' where result ->> 'drawno' = '7' and ${SETTLED('declared')}`,
    /draw .*: Its result is labeled 9, but is 7/,
  ],
  [
    'a declared draw marked as generated',
    `update draws set source = 'generated' where ${SETTLED('declared')}`,
    /draw .* has a generated result; row \d+ of the log of network .* declares {"drawno": "7"} booster 2/,
  ],
  [
    "a result's confirmer",
    'update draws set confirmed_by = :distributor where confirmed_by is not null',
    /draw .* has the saved result .* confirmed by .*; row \d+ of the log of network .* says .* confirmed by/,
  ],
  [
    'a saved result of a running draw',
    `update draws set status = 'closed', saved_result = '{"drawno":"3"}', saved_booster = 9, saved_by = :admin where status = 'open'`,
    /draw .* has the declared result {"drawno": "3"} booster 9; no log has a declaration of it/,
  ],
];

const TICKETS: Break[] = [
  [
    "a stake's time",
    "update transfers set at = at - interval '1 day' where kind = :transfer.stake",
    /transfer .* is the stake of ticket .* and was made at .*; the ticket was placed at/,
  ],
  [
    'an escrow wallet',
    'delete from tickets t using draws d where d.id = t.draw_id and d.status = $$open$$',
    /escrow of game .* has 1000 hundredths, its undrawn tickets come to 0/,
    /draw .* shows 1000 hundredths on 3, but its tickets come to 0/,
  ],
  [
    'an unpaid win',
    'update ticket_wins set win = 7777 where win = 1800',
    /won 7777 hundredths and was paid 1800/,
    /ticket .* has a win of 7777 hundredths, but its lines and the result give 1800/,
  ],
  [
    'a win and its payment',
    'update ticket_wins set win = win + 1 where win = 18000; update transfers set amount = amount + 1 where kind = ' +
      ':transfer.win and amount = 18000',
    /ticket .* has a win of 18001 hundredths, but its lines and the result give 18000/,
  ],
  [
    "a ticket's lines",
    `update tickets t set lines = '9*10' where ${UNSETTLED}`,
    /ticket .* was changed: its digest does not match its lines/,
  ],
  [
    "a ticket's bet",
    `update tickets t set lines = 'x*10' where account_id = :user and ${UNSETTLED}`,
    /ticket .* was changed: its line on x is not a bet of its game/,
  ],
  [
    'a win without a ticket',
    'insert into ticket_wins (network_id, draw_id, ticket_id, win) select :network, id, :random, 5 from draws limit 1',
    /ticket .* has the win 5 in draw .* and does not exist/,
  ],
  [
    'a ticket after a saved result closed betting',
    'update tickets t set placed_at = d.closed_at from draws d where d.id = t.draw_id and d.closed_at < d.closes_at',
    /ticket .* was placed at .*; its draw took bets from .* until/,
  ],
  [
    "a ticket's time",
    'update tickets t set placed_at = d.closes_at from draws d where d.id = t.draw_id',
    /ticket .* was placed at .*; its draw took bets from .* until/,
  ],
  [
    "a ticket's draw",
    'update tickets t set draw_id = (select d.id from draws d where d.network_id = t.network_id and d.status = ' +
      "'void') where account_id = :other",
    /ticket .* was placed at .*; its draw took bets from .* until/,
    /ticket .* was changed: its digest does not match its lines/,
  ],
  [
    'a duplicate stake',
    again('kind = :transfer.stake and actor_id = :other'),
    /ticket .* has a stake of 500 hundredths; 1000 were taken for it in 2 transfers/,
  ],
  [
    "a stake's player",
    'update transfers set actor_id = :admin where kind = :transfer.stake and actor_id = :other',
    /transfer .* is the stake of ticket .* for player .*, by .*; the ticket is of player/,
  ],
  [
    'a win paid from escrow',
    'update transfers set from_wallet = (select id from wallets where network_id = :network and kind = ' +
      ':wallet.escrow limit 1) where kind = :transfer.win',
    /transfer .* is the win of ticket .* with the escrow of game/,
  ],
  [
    'a duplicate refund',
    again('kind = :transfer.refund'),
    /ticket .* has a stake of 300 hundredths and its draw is void; 600 were refunded in 2 transfers/,
  ],
  [
    "the time of a draw's collection",
    "update transfers set at = at - interval '1 day' where kind = :transfer.collect",
    /draw .* were collected in 1 transfers, not from its escrow to its table at that time/,
  ],
  [
    'two swapped stakes',
    `update transfers t set reference = o.reference from transfers o
     where t.kind = :transfer.stake and o.kind = :transfer.stake and t.actor_id = :user and o.actor_id = :user
       and t.amount = 1000 and o.amount = 1000
       and t.id <> o.id`,
    /transfer .* is the stake of ticket .* and was made at .*; the ticket was placed at/,
  ],
  [
    "another account's stake",
    'update transfers set from_wallet = (select id from wallets where owner_id = :other and kind = :wallet.winnings) ' +
      'where kind = :transfer.stake and actor_id = :other',
    /transfer .* is the stake of ticket .* for player .*, by .*; the ticket is of player/,
  ],
  [
    'stakes on unknown bets',
    `update exposures set bet_key = '10' where bet_key = '9'`,
    /draw .* shows stakes on 10, which is not a bet of funtargetbingo/,
    /draw .* shows 200 hundredths on 10, but its tickets come to 0/,
  ],
];

const SUMS: Break[] = [
  [
    'a deleted settlement',
    'delete from player_settlements where account_id = :other',
    /player .* has no settlement of draw .* of network \d+; the tickets come to stake 500, win \d+ hundredths/,
  ],
  [
    'a settlement without a player',
    `insert into player_settlements (network_id, draw_id, account_id, stake, win, super_commission, dist_commission,
     retail_commission, user_commission)
     select :network, draw_id, :random, 5, 5, 0, 0, 0, 0 from player_settlements limit 1`,
    /the settlement of player .* in draw .* has stake 5, win 5 hundredths; there are no such tickets/,
  ],
  [
    "two players' rollups with an unchanged sum",
    `update rollups set stake = stake + case account_id when :user then 100 else -100 end where account_id in (:user, :other)
       and starts_at in (select starts_at from rollups where account_id = :other)`,
    /the quarter rollups of account .* do not equal the settlements/,
    /the day rollups of account .* do not equal the settlements/,
  ],
  [
    "the rollups of a player's ancestors",
    'update rollups set win = win + 1 where account_id in (:retailer, :distributor, :superdistributor, :admin, :superadmin)',
    /the quarter rollups of account .* do not equal the settlements/,
    /the day rollups of account .* do not equal the settlements/,
  ],
  [
    "a settlement's win",
    'update player_settlements set stake = stake + 1 where account_id = :user',
    /settlement of player .* does not equal the tickets: stake 2001, win 1800 hundredths; they come to 2000 and 1800/,
    /the day rollups of account/,
  ],
  [
    "a settlement's time",
    "update draw_settlements set settled_at = settled_at - interval '1 day'",
    /settlement of draw .* is of .*; the draw was settled at/,
    /the day rollups of account .* do not equal the settlements: from/,
  ],
  [
    "a commission's receiver",
    `update transfers set to_wallet = (select id from wallets where owner_id = :distributor and kind = :wallet.commission)
     where kind = :transfer.commission and to_wallet = (select id from wallets where owner_id = :user and kind = :wallet.commission)`,
    /account .* earned 20 hundredths of commission in draw .* and was paid 0 in 0 transfers/,
  ],
  [
    "a commission's source wallet",
    'update transfers set from_wallet = (select id from wallets where network_id = :network and kind = ' +
      ':wallet.escrow limit 1) where kind = :transfer.commission',
    /account .* hundredths of commission in draw .*, not from the table of the game to its commission/,
  ],
  [
    "a rollup's sum",
    "update rollups set win = win + 1 where account_id = :user and grain = 'quarter'",
    /the quarter rollups of account .* do not equal the settlements: from .* they have play \d+, win \d+, commissions/,
  ],
  [
    "one level's commission in a rollup",
    'update rollups set super_commission = retail_commission, retail_commission = super_commission where account_id = :admin',
    /the day rollups of account .* do not equal the settlements/,
  ],
  [
    "a rollup's day",
    "update rollups set starts_at = starts_at - interval '1 day' where account_id = :admin and grain = 'day'",
    /the day rollups of account .* they have nothing, the settlements play/,
    /the day rollups of account .* they have play .*, the settlements nothing/,
  ],
  [
    "a rollup's quarter hour",
    "update rollups set starts_at = starts_at + interval '15 minutes' where account_id = :admin and grain = 'quarter'",
    /the quarter rollups of account .* they have play .*, the settlements nothing/,
  ],
  [
    "the rollup that indexes a player's tickets",
    "delete from rollups where account_id = :user and grain = 'quarter'",
    /the quarter rollups of account .* do not equal the settlements: from .* they have nothing, the settlements play/,
  ],
  [
    "the quarter hour that indexes a player's draw",
    `update draws set finished_at = finished_at - interval '20 minutes' where id = (select draw_id from tickets where id = ${WON})`,
    /the settlement of draw .* of network .* is of .*; the draw was settled at/,
  ],
  [
    "a played draw's ticket count",
    `update draws set ticket_count = 0, ticket_root = null where id = (select draw_id from tickets where id = ${WON})`,
    /draw .* of network .* was closed with 0 tickets, but now has 1, or different ones/,
  ],
  [
    'the order of two played draws',
    "update draws set opens_at = opens_at + interval '3 days', draws_at = draws_at + interval '3 days' where id = " +
      `(select draw_id from tickets where id = ${WON})`,
    /ticket .* of network .* was placed at .*; its draw took bets from/,
  ],
  [
    'the pinned time zone',
    "update pinned_settings set value = 'America/New_York' where name = 'time-zone'",
    /the day rollups of account .* do not equal the settlements/,
    /the returns of game .* have draws 1, .*; its generated draws come to nothing/,
  ],
  [
    'returns of a network without draws',
    'update return_sums set network_id = 99',
    /the returns of game .* in network 99 from .* have draws 1, .*; its generated draws come to nothing/,
  ],
];

it('every logged table is covered by a manual change', () => {
  expect(Object.keys(CHANGES)).toEqual(LOGGED_TABLES);
});

describe.each([
  ['the books', BOOKS],
  ['the logs', LOGS],
  ['the draws', DRAWS],
  ['the tickets', TICKETS],
  ['the sums', SUMS],
])('names manual changes of %s:', (_part, breaks) => {
  it.each(isWhole ? breaks.map((one): [string, Break[]] => [one[0], [one]]) : [['all at once', breaks] as const])(
    '%s',
    (_what, some) => expectNamed(t, world, some),
  );
});

it('accepts ticket lines in another order with an equal digest', async () => {
  const turned = `(select string_agg(line, ' ' order by line desc) from string_to_table(lines, ' ') as line)`;
  expect(await auditAfter(t, `update tickets set lines = ${turned} where lines like '% %'`)).toEqual([]);
});

it('looks reversed transfers up by the index on ids', async () => {
  await t.db.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const plans: string[] = [];
    const query = async (statement: Sql): Promise<object[]> => {
      plans.push(JSON.stringify(await tx.query(sql`explain (format json) ${statement}`)));
      return [{ problem: null, checked: 0n }];
    };
    await auditCredit({ query } as Queryable);
    expect(plans[0]).toMatch(/"Index Name":"transfers_id",[^{}]*"Alias":"r",[^{}]*id = l\.reverses/);
  });
});
