import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { CLEARED_TABLES } from './cleared-tables.ts';
import { LOG_TABLES } from './log-tables.ts';
import { NOTICE_TABLES, PLAYER_TABLES } from './player-tables.ts';
import { RESTORE_TABLES } from './restore-tables.ts';
import { SESSION_TABLES } from './session-tables.ts';
import type { InClearing, TableOwner } from './table-owner.ts';
import { UNDONE_TABLES } from './tombstone-tables.ts';

const GAMES_OF_NETWORK = `select owner_id from wallets where network_id = $1 and kind = ${WALLET_KINDS.table}`;

const IN_CATALOGUE: InClearing = { stays: 'all networks share the catalogue' };
const OF_TICKETS: InClearing = { ticket: 'all there is of the tickets of a draw that has ended' };
const SUMS_STAY: InClearing = { stays: 'reports of whole days are made of these sums' };
const BET_LIST = 'the Bet List reads the tickets of a page with all that stands on them, in one statement';

/**
 * Every table with its owning feature. `npm run check` compares SQL, migrations and grants.sql with it. Listed in
 * backup loading order: referenced tables first.
 */
export const TABLE_OWNERS: Readonly<Record<string, TableOwner>> = {
  networks: {
    owner: 'ledger',
    ofNetwork: false,
    backup: { left: 'the manifest names it by its admin; its number is one of this database' },
    readers: {
      accounts: 'a network that is to be moved here has its admin already',
      db: 'a predicate is of one network',
      activity: 'acts of nobody, and the reopening of the books, belong to the admin of the network',
      credit: 'statements name a network by its admin',
      games: 'a game of a network is found by its admin',
      reports:
        'a return is named by the admin of its network; a superadmin’s Bet List is that of its networks, by their tickets’ keys; a transfer is judged by its network',
      draws: 'whether a game has draws is asked of each network, by the key of its draws',
      liability: 'what is held is told by network',
      settlement: 'the largest sum of a network is its admin’s',
      tickets: 'a superadmin looks for a ticket in each network, by the key of its tickets',
      players: 'the landing page tells of the winners of networks that let it',
      'api-keys': 'an API key names the admin of its network',
    },
    clearing: { stays: 'a network has its number as long as it is there' },
  },
  ...RESTORE_TABLES,
  staged_accounts: {
    owner: 'accounts',
    ofNetwork: true,
    readers: {
      liability: 'days that are missing of what stands beside are summed by whose its wallets are',
      protection: 'what holds is kept for players who are in what stands beside',
    },
    backup: { left: 'what stands beside is no network yet, or none any more' },
    clearing: { stays: 'what stands beside is never cleared' },
  },
  accounts: {
    owner: 'accounts',
    ofNetwork: false,
    backup: { where: 'network_id = $1' },
    readers: {
      settlement: 'a settlement finds the chains of the players and their rates in one statement',
      activity: 'a row of the log keeps the chain of whoever did it',
      auth: 'a sign-in finds its account by name, and a session its account in the same look',
      protection:
        'the subtree predicate stands in the query itself; a change names who made it; whoever is excluded is locked as by a sign-in',
      credit: 'the subtree predicate stands in the query itself',
      games: 'a game runs while its admin and the superadmin above are active',
      draws:
        'a result that waits for a second person names who saved it, and the admin of its game; who set whose password is no second person for them',
      tickets: 'a settlement finds the chain and its rates in one statement; a receipt is for those above its player',
      live: 'a panel names who saved a result',
      reports: 'rows of a report are accounts below the caller',
      liability: 'credit is a player’s or that of a level above',
      players: 'the landing page tells of the winners of networks whose admins are active',
      'api-keys': 'the players that a program bets for are those of its network, in the query itself',
    },
    clearing: { user: 'name, note and password of one that was deleted' },
  },
  rate_changes: {
    owner: 'accounts',
    ofNetwork: true,
    backup: 'of the network',
    readers: { draws: 'a draw opens with the number of changes so far, in the statement that opens it' },
    clearing: { stays: 'there is one row per change, and the rates at the opening of a draw follow from it' },
  },
  network_work: {
    owner: 'activity',
    ofNetwork: false,
    backup: { left: 'what is under way is of this installation' },
    clearing: { stays: 'it has the latest work alone' },
  },
  ...SESSION_TABLES,
  ...PLAYER_TABLES,
  ...LOG_TABLES,
  pinned_settings: {
    owner: 'settings',
    ofNetwork: false,
    backup: { left: 'of this installation; the manifest has the time zone' },
    clearing: { stays: 'they hold for ever' },
  },
  wallets: {
    owner: 'ledger',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      accounts: 'a list is sorted by balance in one statement; a deletion finds what is to be emptied',
      credit: 'a statement names the other side of each movement',
      liability: 'what a network holds is summed over all its wallets in one statement',
      reports:
        'a list of players is sorted by balance, and one of who is to be paid by commission, in one statement; what waits is summed over a subtree',
    },
    clearing: { stays: 'balances are never touched' },
  },
  transfers: {
    owner: 'ledger',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      credit: 'a day’s transfers are summed for its limit; a statement names the other side',
      liability: 'a day’s transfers are summed over all wallets, by whose they are',
      reports: 'the transfers of a day are told with both of their sides',
    },
    clearing: {
      usertransaction: 'bets, wins, claims, bets given back and collected',
      refertransaction: 'what was given, taken back and paid out within the network',
      commission: 'what was earned and paid out since',
    },
  },
  idempotency_keys: {
    owner: 'activity',
    ofNetwork: true,
    backup: 'of the network',
    clearing: { stays: 'a key is honoured for ever' },
  },
  images: {
    owner: 'games',
    ofNetwork: false,
    backup: {
      where: `hash in (select logo from games where id in (${GAMES_OF_NETWORK}) union select image from games where id in (${GAMES_OF_NETWORK})
      union select hash from game_images where game_id in (${GAMES_OF_NETWORK}))`,
    },
    clearing: IN_CATALOGUE,
  },
  games: {
    owner: 'games',
    ofNetwork: false,
    backup: { where: `id in (${GAMES_OF_NETWORK})` },
    readers: {
      accounts: 'the list of admins shows the games of each',
      credit: 'a statement names the game of a table',
      draws: 'a draw is read with its game',
      liability: 'a table below zero is named by its game',
      reports:
        'what a game came to is sorted by its name, and held against its rules; a row of the Bet List names its game',
      tickets: 'a ticket is read with the key of its game',
    },
    clearing: IN_CATALOGUE,
  },
  times: {
    owner: 'games',
    ofNetwork: false,
    backup: { where: `id in (select time_id from game_times where game_id in (${GAMES_OF_NETWORK}))` },
    clearing: IN_CATALOGUE,
  },
  game_images: {
    owner: 'games',
    ofNetwork: false,
    backup: { where: `game_id in (${GAMES_OF_NETWORK})` },
    clearing: IN_CATALOGUE,
  },
  game_times: {
    owner: 'games',
    ofNetwork: false,
    backup: { where: `game_id in (${GAMES_OF_NETWORK})` },
    clearing: IN_CATALOGUE,
  },
  network_games: {
    owner: 'games',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      accounts: 'the list of admins shows the games of each',
      draws: 'which pairs have no draw running is looked for among thousands at once, and again under their locks',
      reports:
        'a return is shown beside the win percentage that is set; the Bet List is narrowed by the games of its networks',
      tickets: 'bets are taken on games of the network alone, under the lock of their draws',
    },
    clearing: { stays: 'it has what holds now' },
  },
  draw_terms: {
    owner: 'draws',
    ofNetwork: false,
    backup: {
      where:
        'id in (select terms_id from draws where network_id = $1 union all select terms_id from undone_draws where network_id = $1)',
    },
    readers: {
      reports: 'the lines of a ticket cost and win by the terms of its draw',
      tickets: 'so do those of a player’s own ticket',
    },
    clearing: { stays: 'draws of all networks share the few there are' },
  },
  draws: {
    owner: 'draws',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      settlement: 'the shell counts draws that a wrong clock has left ahead',
      accounts: 'open draws pay the commission rates of their opening, up to the ceiling of their opening',
      protection: 'what a player has staked on draws that are not settled counts with what is',
      tickets: 'a ticket is of the game of its draw, and open, settled or void as that is',
      reports:
        'single settlements are of the game of their draw; the Bet List of a game goes draw by draw, and a row has its result',
    },
    clearing: {
      draw: 'those whose tickets are gone, and those that had none',
      ticket: 'that its tickets are gone is noted',
      result: 'what was saved and who confirmed it',
    },
  },
  ...UNDONE_TABLES,
  tickets: {
    owner: 'tickets',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      settlement: 'a settlement reads all tickets of its draw in one statement',
      reports: BET_LIST,
      protection: 'what a player has staked on draws that are not settled counts with what is, in one statement',
    },
    clearing: OF_TICKETS,
  },
  ticket_wins: {
    owner: 'settlement',
    ofNetwork: true,
    backup: 'of the network',
    readers: { tickets: 'a ticket is shown with its win, and a claim pays it', reports: BET_LIST },
    clearing: OF_TICKETS,
  },
  ticket_claims: {
    owner: 'tickets',
    ofNetwork: true,
    backup: 'of the network',
    readers: { reports: BET_LIST },
    clearing: OF_TICKETS,
  },
  ticket_prints: { owner: 'tickets', ofNetwork: true, backup: 'of the network', clearing: OF_TICKETS },
  exposures: { owner: 'tickets', ofNetwork: true, backup: 'of the network', clearing: OF_TICKETS },
  draw_settlements: {
    owner: 'settlement',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      tickets: 'a win waits for its claim if its draw was settled so',
      reports: 'reports of any period are sums of settlements',
    },
    clearing: OF_TICKETS,
  },
  draw_settlings: {
    owner: 'settlement',
    ofNetwork: true,
    readers: { tickets: 'a win of a draw that is settled in pieces waits for the end' },
    backup: 'of the network',
    clearing: OF_TICKETS,
  },
  settlement_pieces: {
    owner: 'settlement',
    ofNetwork: true,
    readers: { tickets: 'the need of a table is less by what was paid' },
    backup: 'of the network',
    clearing: OF_TICKETS,
  },
  player_settlements: {
    owner: 'settlement',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      tickets: 'a ticket of a settled draw without a win has lost',
      reports: 'reports of any period are sums of settlements',
    },
    clearing: OF_TICKETS,
  },
  settled_remainders: {
    owner: 'settlement',
    ofNetwork: true,
    backup: 'of the network',
    clearing: OF_TICKETS,
  },
  rollups: {
    owner: 'settlement',
    ofNetwork: true,
    backup: 'of the network',
    ofRoot: { account_id: 'superadmin' },
    readers: {
      tickets: 'a player’s draws are found by the days on which something was settled',
      live: 'a panel shows what was collected today',
      protection: 'what a player staked and lost in a day, a week and a month is the sum of its days',
      reports: 'reports of whole quarters are sums of rollups',
    },
    clearing: SUMS_STAY,
  },
  claim_sums: {
    owner: 'tickets',
    ofNetwork: true,
    backup: 'of the network',
    readers: { reports: 'what a player claimed on a day is its wins with these' },
    clearing: SUMS_STAY,
  },
  return_sums: {
    owner: 'settlement',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      games: 'a win percentage is shown beside what came out',
      reports: 'the returns of a period are sums of them',
    },
    clearing: SUMS_STAY,
  },
  liability_days: {
    owner: 'liability',
    ofNetwork: true,
    backup: 'of the network',
    readers: { clearing: 'no day is cleared that is not summed' },
    clearing: SUMS_STAY,
  },
  audit_verdicts: {
    owner: 'liability',
    ofNetwork: false,
    backup: { left: 'audits are of the whole installation' },
    clearing: { stays: 'audits are of the whole installation' },
  },
  ...NOTICE_TABLES,
  ...CLEARED_TABLES,
  seal_progress: {
    owner: 'transparency',
    ofNetwork: false,
    backup: { left: 'the seals are of the whole installation' },
    clearing: { stays: 'it tells how far the seals have come' },
  },
  removals: {
    owner: 'transparency',
    ofNetwork: false,
    backup: { left: 'the seals are of the whole installation' },
    clearing: { stays: 'what was removed is proved by it' },
  },
};
