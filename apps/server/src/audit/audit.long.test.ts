import { afterAll, beforeAll, describe, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { playNetwork, type PlayedNetwork } from '../../test/worlds/audit-world.ts';
import {
  again,
  CREDIT_OF_PLAYER,
  cut,
  expectNamed,
  OF_PLAYER,
  reopened,
  SETTLED,
  UNSETTLED,
  WON,
  type Break,
} from '../../test/tampering/tampered-books.ts';

let t: TestApp;
let world: PlayedNetwork;

beforeAll(async () => {
  t = await TestApp.start();
  world = await playNetwork(t);
  await t.expectBooksToBalance();
});
afterAll(() => t.close());

// Each fault hides others, so each runs alone.
const BOOKS: Break[] = [
  [
    'two swapped versions',
    `update transfers t set to_version = -to_version where ${OF_PLAYER} and to_version in (1, 3);
     update transfers t set to_version = 4 + to_version where ${OF_PLAYER} and to_version < 0`,
    /transfer .* says that wallet .* had \d+ hundredths after it; it had \d+/,
  ],
  [
    'a deleted transfer',
    'delete from transfers where kind = :transfer.stake and actor_id = :user',
    /its transfers come to/,
  ],
  [
    'an extra wallet',
    `insert into wallets (network_id, id, owner_id, kind) select :network, 4711, :random, :wallet.credit`,
    /network .* has \d+ wallets, numbered from 1 to 4711; it counts \d+/,
  ],
];

const LOGS: Break[] = [
  [
    'a game removed from a network',
    'delete from network_games where network_id = :network',
    /network_games \(\d+, .*\), which is gone, was changed without a log row/,
  ],
  [
    "a picture's content",
    "insert into images values (sha256('x'), 'y')",
    /the picture 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881 was changed: it does not match its hash/,
  ],
  [
    'a deleted picture',
    "alter table games drop constraint games_logo_fkey; update games set logo = sha256('x')",
    /the picture 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881, which games or the house show, is gone/,
  ],
  [
    'a deleted log row',
    'delete from activity where account_id = :user and seq = (select min(seq) from activity where account_id = :user)',
    /the rows from \d+ to \d+ are missing/,
  ],
  [
    'a deleted log with its head',
    'delete from activity where network_id = :network; delete from activity_heads where network_id = :network',
    /the log of network .* is missing: \d+ of its accounts have signed in, the last at/,
    /account .* \(user .*\) of network .* is in no log, although every creation is logged/,
    /transfer .* \(table-add of 20000 hundredths\) is in no log, although every order is logged/,
    /account .* \(retailer .*\) of network .* signed in at .*, but the log has no such row/,
  ],
  [
    'the time at which a log continues',
    "update activity_heads set last_at = last_at + interval '1 year' where network_id = :network",
    /activity of network .*: the last row is .* of .*, but its head says .* of 2027-/,
  ],
  [
    'the row after which a log continues',
    'update activity_heads set last_id = :random where network_id = :network',
    /activity of network .*: the last row is .* of .*, but its head says .* of 2026-/,
  ],
  [
    'a deleted log head',
    'delete from activity_heads where network_id = :network',
    /activity of network .*: its head is missing/,
  ],
  [
    "the root's truncated log with its head",
    cut(':root', 'Created'),
    /account .* \(admin .*\) of network .* is in no log/,
    /transfer .* \(issue of \d+ hundredths\) is in no log/,
    /draw .* of network .* is void, but the log says that it was never voided/,
  ],
  [
    'a duplicate transfer',
    again('kind = :transfer.payout', 'reference', 'id'),
    /transfer .* is there 2 times; row \d+ of the log of network .* orders it once/,
  ],
  [
    "a transfer's actor",
    'update transfers set actor_id = :distributor where kind = :transfer.payout',
    /transfer .* names .* as its actor; row \d+ of the log of network .* says/,
  ],
  [
    "a transfer's time",
    `update transfers set at = at - interval '1 day' where kind = :transfer.give and to_wallet = ${CREDIT_OF_PLAYER}`,
    /transfer .* was made at .*; row \d+ of the log of network .* is of/,
  ],
  [
    "a transfer's note",
    "update transfers set note = 'a gift' where kind = :transfer.payout",
    /transfer .* has another note than row \d+ of the log/,
  ],
  [
    "a transfer's receiver",
    `update transfers set to_wallet = (select id from wallets where owner_id = :other and kind = :wallet.credit)
     where kind = :transfer.give and network_id = :network and to_wallet = ${CREDIT_OF_PLAYER}`,
    /transfer .* \(give\) is between other wallets than row \d+ of the log/,
  ],
  [
    "a transfer's table",
    'update transfers set reference = :random where kind = :transfer.table-add',
    /transfer .* \(table-add\) is between other wallets/,
  ],
  [
    "a deleted account's returned credit",
    'update transfers set amount = amount - 1 where kind = :transfer.return',
    /account .* returned 999 hundredths to its parent; row \d+ of the log of network .* says 1000/,
  ],
  [
    "the receiver of a deleted account's credit",
    `update transfers set to_wallet = ${CREDIT_OF_PLAYER} where kind = :transfer.return`,
    /transfer .* moves credit from .* to .*; account .* returns it to its parent/,
  ],
  [
    'a deleted account row',
    'update accounts set parent_id = null where parent_id = :deleted; delete from accounts where id = :deleted',
    /account .* is gone, but the log says it was created/,
  ],
  [
    'an unlogged superadmin',
    `insert into accounts (id, network_id, role, chain, username, unique_id, password_hash, commission, note, active, created_at)
     select gen, network_id, role, array[gen], 'ghost', 'ghost', password_hash, 0, '', true, created_at
     from accounts, (select 'ffffffff-ffff-7fff-bfff-ffffffffffff'::uuid as gen) as new where id = :superadmin`,
    /account .* \(superadmin ghost\) of network .* is in no log/,
  ],
  [
    "an account's parent",
    'update accounts set parent_id = :distributor where id = :user',
    /account .* is below .*; the log put it below/,
  ],
  [
    "an account's deletion",
    'update accounts set deleted_at = null where id = :deleted',
    /account .* is not deleted, but the log says otherwise/,
  ],
];

const DRAWS: Break[] = [
  [
    'a value the server never writes, without hiding other findings',
    `alter table draws alter column commitment drop not null; update draws set commitment = null where ${SETTLED('generated')};
     update wallets set balance = balance + 1 where owner_id = :user and kind = :wallet.credit`,
    /draw .*: It has a value that the server never writes: /,
    /wallets of network .* sum to 1 hundredths/,
  ],
  [
    'a generated booster',
    `update draws set booster = 2 where ${SETTLED('generated')}`,
    /draw .*: The published booster differs from the one that the seed gives, 1/,
    /ticket .* has a win of 1800 hundredths, but its lines and the result give 3600/,
  ],
  [
    'a missing seed',
    `update draws set seed = null where ${SETTLED('generated')}`,
    /draw .*: It is settled and its seed is missing/,
  ],
  [
    'booster weights',
    reopened('weights', "jsonb_set(weights, '{0}', '7')"),
    /draw .*: Its weights are not 20 integers that sum to 10\^9/,
  ],
  [
    "all draws' pays",
    `update draw_terms set pays = '{"number":1000}'`,
    /terms .* were changed: version \d of the rules, 100 hundredths a unit, pays {"number":1000}, weights \[1000000000,0,.*\] are those of/,
    /ticket .* has a win of 18000 hundredths, but its lines and the result give 20000/,
  ],
  [
    "one draw's pays",
    reopened('pays', `'{"number":1000}'`),
    /draw .*: It was opened with 1 points a unit, {"number":10}, results open, wins paid, but the log says 1 points a unit, {"number":9}/,
    /ticket .* has a win of 18000 hundredths, but its lines and the result give 20000/,
  ],
  [
    "a draw's unit price",
    reopened('unit_price', '200'),
    /draw .*: It was opened with 2 points a unit, {"number":9}, results open, wins paid, but the log says 1 points a unit/,
    /ticket .* was changed: it has a stake of 2000 hundredths, but its lines come to 4000/,
  ],
  [
    "a draw's paying heads",
    reopened('pays', `'{"straight":3600}'`),
    /draw .*: Its game is missing or has no rules: funtargetbingo, numbers, 10 outcomes, pays {"straight":3600}/,
  ],
  ['deleted terms', 'delete from draw_terms', /draw .*: The terms it was opened with, .*, are missing/],
  [
    "a game's outcomes",
    "update games set family = 'jodi', digits = 300 where game_key = 'funtargetbingo'",
    /draw .*: Its game is missing or has no rules: funtargetbingo, jodi, 300 outcomes, pays {"number":900}/,
  ],
  [
    'a deleted game',
    "delete from game_times; delete from games where game_key = 'funtargetbingo'",
    /draw .*: Its game is missing or has no rules/,
  ],
  [
    'a generated draw marked as declared',
    `update draws set source = 'declared' where ${SETTLED('generated')}`,
    /draw .* has the declared result .*; no log has a declaration of it/,
  ],
  [
    'a declared result',
    `update draws set result = '{"drawno":"3"}', result_label = '3', booster = 1 where result ->> 'drawno' = '7'`,
    /draw .* has the declared result {"drawno": "3"} booster 1; row \d+ of the log of network .* says {"drawno": "7"} booster 2/,
  ],
  [
    'a declared result and its saved copy',
    `update draws set result = '{"drawno":"3"}', result_label = '3', saved_result = '{"drawno":"3"}' where result ->> 'drawno' = '7'`,
    /draw .* has the saved result {"drawno": "3"} booster 2 by .*; row \d+ of the log of network .* says {"drawno": "7"} booster 2 by/,
  ],
  [
    "a result's declarer",
    "update draws set saved_by = :distributor where result ->> 'drawno' = '7'",
    /draw .* has the saved result .* by .*, confirmed by nobody; row \d+ of the log of network .* says .* by/,
  ],
  [
    'a void draw',
    "update draws set status = 'settled', result = '{\"drawno\":\"2\"}', result_label = '2', booster = 1, source = " +
      "'generated' where status = 'void'",
    /draw .* is settled, but the log says that it was voided/,
    /ticket .* has a stake of 300 hundredths and its draw is settled; 300 were refunded/,
  ],
  [
    'an unlogged void',
    `update draws set status = 'void' where ${SETTLED('generated')}`,
    /draw .* is void, but the log says that it was never voided/,
    /ticket .* has a stake of \d+ hundredths and its draw is void; 0 were refunded in 0 transfers/,
  ],
  [
    'a deleted settled draw',
    `delete from draws where ${SETTLED('generated')}`,
    /draw .* is gone; \d+ exposures, 2 settlements, 2 tickets, [3-9] transfers are about it/,
  ],
  [
    'a deleted settled draw and its tickets',
    `delete from tickets t using draws d where d.id = t.draw_id and d.${SETTLED('declared').replace(' and ', ' and d.')};
     delete from draws where ${SETTLED('declared')}`,
    /draw .* is gone; .* rows of the log, 1 settlements, \d transfers are about it/,
    /transfer .* \(stake of \d+ hundredths\) is about ticket .*, which does not exist/,
  ],
];

const TICKETS: Break[] = [
  [
    "a settled ticket's bet named like an object member",
    `update tickets set lines = '__proto__*10' where id = ${WON}`,
    /ticket .* was changed: its line on __proto__ is not a bet of its game/,
    /ticket .* has a win of 18000 hundredths, but its lines and the result give 0/,
  ],
  [
    "a ticket's quantity",
    `update tickets t set lines = '3*20' where lines = '3*10' and ${UNSETTLED}`,
    /ticket .* was changed: it has a stake of 1000 hundredths, but its lines come to 2000/,
  ],
  [
    "a settled ticket's malformed lines",
    `update tickets set lines = '7*0' where id = ${WON}`,
    /ticket .* was changed: its lines 7\*0 are not valid/,
  ],
  [
    "a ticket's stake and digest",
    `update tickets t set stake = 100, lines = '3*1', digest = sha256(convert_to(format('["%s","%s","100",[["3",1]]]', id,
     draw_id), 'UTF8'))
     where lines = '3*10' and ${UNSETTLED}`,
    /ticket .* has a stake of 100 hundredths; 1000 were taken for it in 1 transfers/,
  ],
  [
    "a ticket's stake and digest, with unchanged lines",
    `update tickets t set stake = 900, digest = sha256(convert_to(format('["%s","%s","900",[["3",10]]]', id, draw_id), 'UTF8'))
     where lines = '3*10' and ${UNSETTLED}`,
    /ticket .* was changed: it has a stake of 900 hundredths, but its lines come to 1000/,
  ],
  [
    'a ticket removed from a closed draw',
    `update tickets set digest = sha256('other') where id = ${WON}`,
    /draw .* was closed with 1 tickets/,
  ],
  [
    'an erased win',
    'delete from ticket_wins where win = 18000',
    /ticket .* won 0 hundredths and was paid 18000 in 1 transfers/,
    /ticket .* has a win of 0 hundredths, but its lines and the result give 18000/,
  ],
  [
    'a win of an undrawn ticket',
    'insert into ticket_wins (network_id, draw_id, ticket_id, win) select t.network_id, t.draw_id, t.id, 5 from ' +
      `tickets t where lines = '3*10' and ${UNSETTLED}`,
    /ticket .* has the win 5, but its draw is open/,
    /ticket .* won 5 hundredths and was paid 0 in 0 transfers/,
  ],
  [
    "a ticket's player",
    `update tickets set account_id = :other where id = ${WON}`,
    /transfer .* is the stake of ticket .* for player .*, by .*; the ticket is of player/,
    /transfer .* is the win of ticket .* for player .*, by the draw; the ticket is of player/,
  ],
  [
    'a stake not taken',
    'delete from transfers where kind = :transfer.stake and actor_id = :other',
    /ticket .* has a stake of 500 hundredths; 0 were taken for it in 0 transfers/,
  ],
  [
    'a win paid to another account',
    'update transfers set to_wallet = (select id from wallets where owner_id = :other and kind = :wallet.credit) ' +
      'where kind = :transfer.win and amount = 18000',
    /transfer .* is the win of ticket .* for player .*, by the draw; the ticket is of player/,
  ],
  [
    'a refund of a drawn ticket',
    'update transfers set kind = :transfer.refund where kind = :transfer.win and amount = 18000',
    /ticket .* won 18000 hundredths and was paid 0 in 0 transfers/,
  ],
  [
    'a transfer for an unknown ticket',
    'update transfers set reference = :random where kind = :transfer.win and amount = 18000',
    /transfer .* \(win of 18000 hundredths\) is about ticket .*, which does not exist/,
  ],
  [
    "a draw's collected stakes",
    'update transfers set amount = amount + 1 where kind = :transfer.collect',
    /draw .* was settled with stakes of 2500 hundredths; 2501 were collected in 1 transfers/,
  ],
  [
    'a win in a void draw',
    `insert into ticket_wins (network_id, draw_id, ticket_id, win)
     select t.network_id, t.draw_id, t.id, 5 from tickets t join draws d on d.network_id = t.network_id
      and d.id = t.draw_id where d.status = 'void'`,
    /ticket .* has the win 5, but its draw is void/,
    /ticket .* won 5 hundredths and was paid 0 in 0 transfers/,
  ],
  [
    'ticket lines with extra fields',
    `update tickets set lines = lines || '*7' where id = ${WON}`,
    /ticket .* was changed: its lines 7\*10\*7 are not valid/,
  ],
  [
    "a win's payment time",
    "update transfers set at = at - interval '1 day' where kind = :transfer.win and amount = 18000",
    /transfer .* is the win of ticket .* and was made at .*; it was paid at/,
  ],
  [
    'a win paid to the winnings wallet',
    'update transfers set to_wallet = (select id from wallets where owner_id = :user and kind = :wallet.winnings) ' +
      'where kind = :transfer.win and amount = 18000',
    /transfer .* is the win of ticket .* for player .*, by the draw; the ticket is of player/,
  ],
  [
    'a duplicate win in another wallet',
    `${again('kind = :transfer.win and amount = 18000')};
     update transfers set to_wallet = (select id from wallets where owner_id = :user and kind = :wallet.commission) where id = :random`,
    /transfer .* is the win of ticket .* for player .*, by the draw; the ticket is of player/,
    /ticket .* won 18000 hundredths and was paid 36000 in 2 transfers/,
  ],
  [
    'a movement of an unknown wallet',
    'update transfers set to_wallet = 4711 where kind = :transfer.win and amount = 18000',
    /transfer .* is the win of ticket .* for player , by the draw; the ticket is of player/,
  ],
  [
    'the exposure of a bet',
    'update exposures set stake = stake + 1 where stake = 300',
    /draw .* shows 301 hundredths on 2, but its tickets come to 300/,
  ],
  [
    'exposures of the wrong bets',
    `update exposures e set stake = case bet_key when '1' then 200 else 700 end from draws d
     where d.id = e.draw_id and e.bet_key in ('1', '2') and exists (select from exposures o where o.draw_id = e.draw_id
      and o.bet_key = '9')`,
    /draw .* shows 200 hundredths on 1, but its tickets come to 700/,
    /draw .* shows 700 hundredths on 2, but its tickets come to 200/,
  ],
  [
    "a ticket's idempotency key",
    `alter table tickets drop constraint tickets_request;
     update tickets set request = :random where account_id = :user`,
    /nothing keeps a request from making two tickets/,
    /request .* of network \d+ made 5 tickets/,
  ],
];

const SUMS: Break[] = [
  [
    'a commission and its payment',
    `update player_settlements set retail_commission = retail_commission + 1 where account_id = :other;
     update transfers set amount = amount + 1 where kind = :transfer.commission and reference in (select draw_id
       from player_settlements where account_id = :other)
       and to_wallet = (select id from wallets where owner_id = :retailer and kind = :wallet.commission)`,
    /settlement of player .* has 26 hundredths of commission for retailer .*; at 500 hundredths of a percent the stake of 500 gives 25/,
  ],
  [
    "a player's commission",
    'update player_settlements set user_commission = 0 where account_id = :user',
    /has 0 hundredths of commission for player .*; at 100 hundredths of a percent the stake of 2000 gives 20/,
  ],
  [
    "a commission's remainder",
    'update wallets set remainder = 1 where owner_id = :retailer and kind = :wallet.commission',
    /account .* of network .* has the remainder 1 after \d+ settlements; what is kept of them comes to 0 after \d+/,
  ],
  [
    "a settlement's carried remainder",
    'update settled_remainders set after = 1 where account_id = :user and nth = 1',
    /account .* carried the remainder 1 out of draw .* of network .*; with 0 before it, the stakes leave 0/,
    /account .* of network .* began settlement 2 with the remainder 0; the one before left 1/,
  ],
  [
    "a settlement's starting remainder",
    'update settled_remainders set before = 5000 where account_id = :user and nth = 2',
    /account .* of network .* began settlement 2 with the remainder 5000; the one before left 0/,
  ],
  [
    'a deleted remainder',
    'delete from settled_remainders where account_id = :user and nth = 1',
    /account .* earned in draw .* of network .* and carried no remainder/,
  ],
  [
    'an invented commission rate change',
    `insert into rate_changes (network_id, account_id, nth, at, before, after) values (:network, :retailer, 1, now(), 400, 500)`,
    /commission for retailer .*; at 400 hundredths of a percent the stake of 2000 gives 80/,
  ],
  [
    "a draw's number of rate changes",
    'update draws set rate_changes = 1',
    /draw .* of network .* opened with 1 rate changes; its network has had only 0/,
  ],
  [
    "a played draw's ticket flag",
    `update draws set tickets_cleared = true where id = (select draw_id from tickets where id = ${WON})`,
    /draw .* of network .* was closed with 1 tickets; 0 of it were cleared/,
  ],
  [
    'a request marked as cleared before a restore',
    `insert into undone_cleared (network_id, id) select network_id, request from tickets where id = ${WON}`,
    /ticket .* of network .* was made from a request whose ticket was cleared before a restore/,
  ],
  [
    'a win in the returns',
    'update return_sums set win = win - 1 where network_id = :network',
    /the returns of game .* in network \d+ from 2026-03-16T18:30:00.000Z have draws 1, play 2500, win \d+, expected 2250000000, variance 1822500000000; its generated draws come to draws 1, play 2500, win \d+,/,
  ],
  [
    'the expected returns',
    'update return_sums set expected_win = expected_win + 1',
    /the returns of game .* expected 2250000001,.*come to .* expected 2250000000,/,
  ],
  [
    "the returns' variance",
    'update return_sums set variance = variance * 4',
    /the returns of game .* variance 7290000000000;.*come to .* variance 1822500000000/,
  ],
  [
    "a day's returns",
    'delete from return_sums',
    /the returns of game .* have nothing; its generated draws come to draws 1,/,
  ],
];

describe.each([
  ['the books', BOOKS],
  ['the logs', LOGS],
  ['the draws', DRAWS],
  ['the tickets', TICKETS],
  ['the sums', SUMS],
])('detects manual changes of %s:', (_part, breaks) => {
  it.each(breaks)('%s', (...one) => expectNamed(t, world, [one]));
});
