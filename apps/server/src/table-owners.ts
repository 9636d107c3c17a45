/** Who has to do with a table of the database. */
export interface TableOwner {
  /** The feature whose code alone writes it. */
  readonly owner: string;
  /** Other features whose SQL reads it, and why that is no call of the owner. What an audit reads, it need not say. */
  readonly readers?: Readonly<Record<string, string>>;
  /** Whether its rows are those of one network: then `network_id` is first in its key. */
  readonly ofNetwork: boolean;
}

const BET_LIST = 'the Bet List reads the tickets of a page with all that stands on them, in one statement';

/**
 * Every table with the feature that owns it. `npm run check` holds the SQL of the server, the migrations and grants.sql against it:
 * a new table gets its row here, a new reader its reason.
 */
export const TABLE_OWNERS: Readonly<Record<string, TableOwner>> = {
  networks: {
    owner: 'ledger',
    ofNetwork: false,
    readers: {
      activity: 'what nobody did in a network belongs to its admin',
      credit: 'statements name a network by its admin',
      games: 'a game of a network is found by its admin',
      reports:
        'a return is named by the admin of its network; a superadmin’s Bet List is that of its networks, by their tickets’ keys; a transfer is judged by its network',
      draws: 'whether a game has draws is asked of each network, by the key of its draws',
      liability: 'what is held is told by network',
      tickets: 'a superadmin looks for a ticket in each network, by the key of its tickets',
    },
  },
  accounts: {
    owner: 'accounts',
    ofNetwork: false,
    readers: {
      activity: 'a row of the log keeps the chain of whoever did it',
      auth: 'a sign-in finds its account by name, and a session its account in the same look',
      credit: 'the subtree predicate stands in the query itself',
      games: 'a game runs while its admin and the superadmin above are active',
      draws:
        'a result that waits for a second person names who saved it, and the admin of its game; who set whose password is no second person for them',
      tickets:
        'a settlement takes the chain and its percentages in one statement with the place of the log; a receipt is for those above its player',
      live: 'a panel names who saved a result',
      reports: 'rows of a report are accounts below the caller',
      liability: 'credit is a player’s or that of a level above',
    },
  },
  sessions: {
    owner: 'auth',
    ofNetwork: false,
    readers: { accounts: 'a list of 100,000 accounts is sorted by who is online, in one statement' },
  },
  servers: {
    owner: 'auth',
    ofNetwork: false,
    readers: { accounts: 'the sockets of a server that is silent make nobody online' },
  },
  open_sockets: {
    owner: 'auth',
    ofNetwork: false,
    readers: { accounts: 'a list of 100,000 accounts is sorted by who is online, in one statement' },
  },
  replaced_sessions: { owner: 'auth', ofNetwork: false },
  attempts: { owner: 'auth', ofNetwork: false },
  known_addresses: { owner: 'auth', ofNetwork: false },
  activity: { owner: 'activity', ofNetwork: true },
  activity_heads: {
    owner: 'activity',
    ofNetwork: true,
    readers: { tickets: 'a settlement keeps how far the log had come when it read the percentages' },
  },
  pinned_settings: { owner: 'settings', ofNetwork: false },
  wallets: {
    owner: 'ledger',
    ofNetwork: true,
    readers: {
      accounts: 'a list is sorted by balance in one statement; a deletion finds what is to be emptied',
      credit: 'a statement names the other side of each movement',
      liability: 'what a network holds is summed over all its wallets in one statement',
      reports:
        'a list of players is sorted by balance, and one of who is to be paid by commission, in one statement; what waits is summed over a subtree',
    },
  },
  transfers: {
    owner: 'ledger',
    ofNetwork: true,
    readers: {
      credit: 'a day’s transfers are summed for its limit; a statement names the other side',
      liability: 'a day’s transfers are summed over all wallets, by whose they are',
      reports: 'the transfers of a day are told with both of their sides',
    },
  },
  idempotency_keys: { owner: 'ledger', ofNetwork: true },
  games: {
    owner: 'games',
    ofNetwork: false,
    readers: {
      accounts: 'the list of admins shows the games of each',
      credit: 'a statement names the game of a table',
      draws: 'a draw is read with its game',
      reports:
        'what a game came to is sorted by its name, and held against its rules; a row of the Bet List names its game',
      tickets: 'a ticket is read with the key of its game',
    },
  },
  times: { owner: 'games', ofNetwork: false },
  images: { owner: 'games', ofNetwork: false },
  game_images: { owner: 'games', ofNetwork: false },
  game_times: { owner: 'games', ofNetwork: false },
  network_games: {
    owner: 'games',
    ofNetwork: true,
    readers: {
      accounts: 'the list of admins shows the games of each',
      reports:
        'a return is shown beside the win percentage that is set; the Bet List is narrowed by the games of its networks',
      tickets: 'bets are taken on games of the network alone, under the lock of their draws',
    },
  },
  draw_terms: {
    owner: 'draws',
    ofNetwork: false,
    readers: { reports: 'the lines of a ticket cost and win by the terms of its draw' },
  },
  draws: {
    owner: 'draws',
    ofNetwork: true,
    readers: {
      tickets: 'a ticket is of the game of its draw, and open, settled or void as that is',
      reports:
        'single settlements are of the game of their draw; the Bet List of a game goes draw by draw, and a row has its result',
    },
  },
  tickets: { owner: 'tickets', ofNetwork: true, readers: { reports: BET_LIST } },
  ticket_wins: { owner: 'tickets', ofNetwork: true, readers: { reports: BET_LIST } },
  ticket_claims: { owner: 'tickets', ofNetwork: true, readers: { reports: BET_LIST } },
  exposures: { owner: 'tickets', ofNetwork: true },
  draw_settlements: {
    owner: 'tickets',
    ofNetwork: true,
    readers: { reports: 'reports of any period are sums of settlements' },
  },
  player_settlements: {
    owner: 'tickets',
    ofNetwork: true,
    readers: { reports: 'reports of any period are sums of settlements' },
  },
  rollups: {
    owner: 'tickets',
    ofNetwork: true,
    readers: {
      live: 'a panel shows what was collected today',
      reports: 'reports of whole quarters are sums of rollups',
    },
  },
  claim_sums: {
    owner: 'tickets',
    ofNetwork: true,
    readers: { reports: 'what a player claimed on a day is its wins with these' },
  },
  return_sums: {
    owner: 'tickets',
    ofNetwork: true,
    readers: {
      games: 'a win percentage is shown beside what came out',
      reports: 'the returns of a period are sums of them',
    },
  },
  liability_days: { owner: 'liability', ofNetwork: true },
  audit_verdicts: { owner: 'liability', ofNetwork: false },
};
