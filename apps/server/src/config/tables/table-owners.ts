import { CATALOGUE_TABLES } from './catalogue-tables.ts';
import { CLEARED_TABLES, LOG_TABLES, RESTORE_TABLES, TOMBSTONE_TABLES } from './history-tables.ts';
import { NOTICE_TABLES, PLAYER_TABLES, WEEK_TABLES, SESSION_TABLES } from './account-tables.ts';
import type { InClearing, TableOwner } from './table-owner.ts';

const OF_TICKETS: InClearing = { ticket: 'all tickets of finished draws' };
const SUMS_STAY: InClearing = { stays: 'reports of whole days use these sums' };
const BET_LIST = 'the Bet List reads a page of tickets with all their details in one statement';

/**
 * `npm run check` compares SQL, migrations and grants.sql with this list. Backups load in this order: referenced tables
 * first.
 */
export const TABLE_OWNERS: Readonly<Record<string, TableOwner>> = {
  networks: {
    owner: 'ledger',
    backup: { left: 'the manifest identifies it by its admin; its number is specific to this database' },
    readers: {
      notices: 'notices of a network name its admin',
      accounts: 'a network being moved here already has its admin',
      db: 'predicates restrict queries to one network',
      auth: 'a network that is on its way here does not sign in yet',
      cells: 'the directory of a group says where each network lives',
      activity: "system entries and the reopening of the books belong to the network's admin",
      credit: 'statements name a network by its admin',
      games: "a network's game is found by its admin",
      reports:
        "returns name the network's admin; a superadmin’s Bet List covers its networks, by the keys of their " +
        'tickets; transfers are judged by their network',
      draws: "finds a game's draws in each network by key",
      liability: 'holdings are shown per network',
      settlement: "a network's maximum is set on its admin",
      tickets: "a superadmin's ticket search covers each network by key",
      players: 'the landing page shows winners of networks that allow it',
      approvals: 'the admin of a network may decide requests of its superadmin',
      'api-keys': "an API key names its network's admin",
    },
    clearing: { stays: 'a network keeps its number' },
  },
  ...RESTORE_TABLES,
  staged_accounts: {
    owner: 'accounts',
    readers: {
      liability: 'sums missing days of a staged copy by wallet owner',
      protection: 'protection in force is kept for players in a staged copy',
      auth: 'second factors are kept for accounts in a staged copy',
    },
    backup: { left: 'a staged copy is not a network, or no longer one', ofNetwork: true },
    clearing: { stays: 'staged copies are never cleared' },
  },
  accounts: {
    owner: 'accounts',
    backup: { where: (networkId) => `network_id = ${networkId}` },
    readers: {
      notices: 'notices of a network name its admin',
      cells: 'the directory of a group knows all usernames and unique ids',
      settlement: "a settlement reads players' chains and rates in one statement",
      activity: 'log rows store the chain of their author',
      auth: 'reads the account by name at sign-in, and with the session in one query',
      protection:
        'the subtree predicate is part of the query; changes name their author; excluded players are locked as at sign-in',
      credit: 'the subtree predicate is part of the query',
      games: 'a game runs while its admin and the superadmin above are active',
      draws:
        'results waiting for a second person name who saved them and the admin of the game; anyone who set ' +
        "the other's password is not a second person",
      tickets:
        'a settlement reads the chain and its rates in one statement; receipts are visible to accounts above the player',
      'first-steps': "finds a test network's players with credit",
      reports: 'report rows are accounts below the caller',
      weeks: 'the week of an account counts credit by the accounts it went to',
      'standing-orders': 'an order is about an account and its parent, as they are when it runs',
      liability: "separates players' credit from other credit",
      players: 'the landing page shows winners of networks with active admins',
      approvals: 'requests name both accounts; passwords set for each other exclude a decider',
      'api-keys': "restricts bets by API key to the network's players within the query",
    },
    clearing: { user: 'name, note and password of deleted accounts' },
  },
  rate_changes: {
    owner: 'accounts',
    readers: { draws: 'a draw stores the number of rate changes in the statement that opens it' },
    clearing: { stays: "one row per change, from which a draw's opening rates follow" },
  },
  network_work: {
    owner: 'activity',
    backup: { left: 'running work belongs to this installation' },
    clearing: { stays: 'holds only the latest work' },
  },
  fences: {
    owner: 'activity',
    backup: { left: 'a fence belongs to a running move of this cell', ofNetwork: true },
    readers: { cells: 'a network that arrives does not count as here before its fence is lifted' },
    clearing: { stays: 'they end with the move' },
  },
  ...SESSION_TABLES,
  ...PLAYER_TABLES,
  ...WEEK_TABLES,
  ...LOG_TABLES,
  pinned_settings: {
    owner: 'settings',
    backup: { left: 'belongs to this installation; the manifest has the time zone' },
    readers: { games: 'schedules draw by the clocks of the time zone' },
    clearing: { stays: 'pinned for good' },
  },
  wallets: {
    owner: 'ledger',
    readers: {
      notices: 'tables below their threshold are found in one statement',
      accounts: 'sorts a list by balance in one statement; a deletion finds the wallets to empty',
      credit: 'statements name the other side of each movement',
      'first-steps': "finds a test network's players with credit",
      liability: 'sums all wallets of a network in one statement',
      weeks: 'credit of a week is summed by the wallets it crossed to',
      tickets: 'a floor is judged by the credit of the account above the player',
      reports:
        'sorts players by balance, and accounts by pending commission, in one statement; sums pending commission over a subtree',
    },
    clearing: { stays: 'balances are never changed' },
  },
  transfers: {
    owner: 'ledger',
    readers: {
      credit: "sums a day's transfers for the daily limit; statements name the other side",
      liability: "sums a day's transfers over all wallets by owner",
      weeks: 'sums credit given, taken back and paid out by account and day',
      reports: "shows a day's transfers with both sides",
    },
    clearing: {
      usertransaction: 'bets, wins, claims, refunds and collections',
      refertransaction: 'credit given, taken back and paid out within the network',
      commission: 'commissions earned and paid out since',
    },
  },
  idempotency_keys: {
    owner: 'activity',
    clearing: { stays: 'idempotency keys are valid for good' },
  },
  ...CATALOGUE_TABLES,
  draw_terms: {
    owner: 'draws',
    backup: {
      where: (networkId) =>
        `id in (select terms_id from draws where network_id = ${networkId} union all select terms_id from undone_draws
          where network_id = ${networkId})`,
    },
    readers: {
      reports: 'ticket lines cost and win by the terms of their draw',
      tickets: "as in reports, for a player's own tickets",
    },
    clearing: { stays: 'draws of all networks share the few terms' },
  },
  draws: {
    owner: 'draws',
    readers: {
      settlement: 'the shell counts draws that a wrong clock left ahead',
      accounts: 'open draws pay the commission rates and ceiling of their opening',
      protection: "a player's stakes on unsettled draws count towards limits",
      tickets: "a ticket's game and state (open, settled, void) come from its draw",
      reports: "a settlement's game comes from its draw; the Bet List of a game reads draw by draw, with results",
    },
    clearing: {
      draw: 'draws without tickets, or with cleared ones',
      ticket: 'notes that the tickets are cleared',
      result: 'saved and confirmed results',
    },
  },
  ...TOMBSTONE_TABLES,
  tickets: {
    owner: 'tickets',
    readers: {
      settlement: 'a settlement reads all tickets of its draw in one statement',
      reports: BET_LIST,
      draws: 'draws with tickets bought ahead cannot be closed',
      protection: "a player's stakes on unsettled draws count towards limits, in one statement",
    },
    clearing: OF_TICKETS,
  },
  ticket_wins: {
    owner: 'settlement',
    readers: { tickets: 'tickets are shown with their win, and claims pay it', reports: BET_LIST },
    clearing: OF_TICKETS,
  },
  corrections: {
    owner: 'settlement',
    readers: {
      draws: 'a corrected result is shown as such',
      tickets: 'a corrected ticket says why',
      reports: 'a ticket and a draw say how they were corrected',
    },
    clearing: { stays: 'tickets of corrected draws stay too' },
  },
  ticket_corrections: {
    owner: 'settlement',
    readers: {
      tickets: 'a corrected ticket is shown with what it was paid in all',
      reports: 'reports of any period are sums of settlements and corrections',
    },
    clearing: { stays: 'tickets of corrected draws stay too' },
  },
  ticket_claims: {
    owner: 'tickets',
    readers: { reports: BET_LIST },
    clearing: OF_TICKETS,
  },
  ticket_prints: { owner: 'tickets', clearing: OF_TICKETS },
  exposures: { owner: 'tickets', clearing: OF_TICKETS },
  draw_settlements: {
    owner: 'settlement',
    readers: {
      tickets: 'a win waits for its claim if its draw was settled that way',
      reports: 'reports of any period are sums of settlements',
    },
    clearing: OF_TICKETS,
  },
  draw_settlings: {
    owner: 'settlement',
    readers: { tickets: 'wins of a draw settled in pieces wait for the end' },
    clearing: OF_TICKETS,
  },
  settlement_pieces: {
    owner: 'settlement',
    readers: { tickets: "payments reduce a table's need" },
    clearing: OF_TICKETS,
  },
  player_settlements: {
    owner: 'settlement',
    readers: {
      tickets: 'a ticket of a settled draw without a win has lost',
      reports: 'reports of any period are sums of settlements',
    },
    clearing: OF_TICKETS,
  },
  settled_remainders: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  rollups: {
    owner: 'settlement',
    ofRoot: { account_id: 'superadmin' },
    readers: {
      tickets: "finds a player's draws by settlement day",
      live: 'panels show what was collected today',
      protection: "a player's stakes and losses per day, week and month are sums of days",
      reports: 'reports of whole quarters are sums of rollups',
      weeks: 'play of a week is a sum of days',
    },
    clearing: SUMS_STAY,
  },
  claim_sums: {
    owner: 'tickets',
    readers: { reports: "a player's claims of a day are its wins with these" },
    clearing: SUMS_STAY,
  },
  return_sums: {
    owner: 'settlement',
    readers: {
      games: 'win percentages are shown beside actual returns',
      reports: 'returns of a period are sums of these',
    },
    clearing: SUMS_STAY,
  },
  liability_days: {
    owner: 'liability',
    readers: { clearing: 'only summed days can be cleared' },
    clearing: SUMS_STAY,
  },
  audit_verdicts: {
    owner: 'liability',
    backup: { left: 'audits cover the whole installation' },
    clearing: { stays: 'audits cover the whole installation' },
  },
  ...NOTICE_TABLES,
  ...CLEARED_TABLES,
  seal_progress: {
    owner: 'transparency',
    backup: { left: 'seals cover the whole installation' },
    clearing: { stays: 'holds how far sealing has come' },
  },
  removals: {
    owner: 'transparency',
    backup: { left: 'seals cover the whole installation' },
    clearing: { stays: 'what was removed is proved by it' },
  },
};
