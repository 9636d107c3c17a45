import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { NOTICE_TABLES, PLAYER_TABLES, WEEK_TABLES, SESSION_TABLES } from './account-tables.ts';
import type { InClearing, TableOwner } from './table-owner.ts';

const OF_TICKETS: InClearing = { ticket: 'all tickets of finished draws' };
const SUMS_STAY: InClearing = { stays: 'reports of whole days use these sums' };
const UNDONE_STAYS: InClearing = { stays: 'undone rows are shown as long as the network exists' };
const IN_CATALOGUE: InClearing = { stays: 'all networks share the catalogue' };
const CHECKPOINT: TableOwner = {
  owner: 'clearing',
  clearing: { stays: 'proves the remaining rows' },
};

const gamesOf = (networkId: number): string =>
  `select owner_id from wallets where network_id = ${networkId} and kind = ${WALLET_KINDS.table}`;

/**
 * `npm run check` compares SQL, migrations and grants.sql with this list. Backups load in this order: referenced tables
 * first.
 */
export const TABLE_OWNERS: Readonly<Record<string, TableOwner>> = {
  networks: {
    owner: 'ledger',
    backup: { left: 'the manifest identifies it by its admin; its number is specific to this database' },
    clearing: { stays: 'a network keeps its number' },
  },
  staged_networks: {
    owner: 'backup',
    backup: { left: 'a staged copy is not a network, or no longer one' },
    clearing: { stays: 'staged copies are never cleared' },
  },
  restores: {
    owner: 'backup',
    ofRoot: { root_log_from: 'log', root_log_until: 'log', root_version_from: 'border', root_version_until: 'border' },
    clearing: CHECKPOINT.clearing,
  },
  undone_activity: {
    owner: 'backup',
    ofRoot: { seq: 'log' },
    clearing: CHECKPOINT.clearing,
  },
  moves: {
    owner: 'backup',
    clearing: CHECKPOINT.clearing,
  },
  moved_activity: {
    owner: 'backup',
    ofRoot: { seq: 'log' },
    clearing: { stays: 'proves what happened elsewhere' },
  },
  staged_accounts: {
    owner: 'accounts',
    backup: { left: 'a staged copy is not a network, or no longer one', ofNetwork: true },
    clearing: { stays: 'staged copies are never cleared' },
  },
  accounts: {
    owner: 'accounts',
    backup: { where: (networkId) => `network_id = ${networkId}` },
    clearing: { user: 'name, note and password of deleted accounts' },
  },
  rate_changes: {
    owner: 'accounts',
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
    clearing: { stays: 'they end with the move' },
  },
  ...SESSION_TABLES,
  ...PLAYER_TABLES,
  ...WEEK_TABLES,
  activity: {
    owner: 'activity',
    ofRoot: { chain: 'chain' },
    clearing: {
      userlog: 'sign-ins and changes that prove no remaining row',
      upcome: 'percentages and limits with later changes',
      result: 'saves, replacements and confirmations are hidden from the network; superadmins still see them',
      draw: 'openings of draws',
    },
  },
  activity_heads: {
    owner: 'activity',
    clearing: { stays: 'the log continues from its end' },
  },
  pending_changes: {
    owner: 'activity',
    backup: { left: 'log rows of the same transaction name them' },
    clearing: { stays: 'deleted once the log names them' },
  },
  pinned_settings: {
    owner: 'settings',
    backup: { left: 'belongs to this installation; the manifest has the time zone' },
    clearing: { stays: 'pinned for good' },
  },
  wallets: {
    owner: 'ledger',
    clearing: { stays: 'balances are never changed' },
  },
  transfers: {
    owner: 'ledger',
    clearing: {
      usertransaction: 'bets, wins, claims, refunds and collections',
      refertransaction: 'credit given, taken back and paid out within the network',
      commission: 'commissions earned and paid out since',
    },
  },
  sent_credit: {
    owner: 'credit',
    backup: { left: 'messages of the superadmin, which no network takes along' },
    clearing: { stays: 'numbers prove that each message counts once' },
  },
  received_credit: {
    owner: 'credit',
    backup: { left: 'moves with the network; a restore leaves it alone' },
    clearing: { stays: 'numbers prove that each message counts once' },
  },
  idempotency_keys: {
    owner: 'activity',
    clearing: { stays: 'idempotency keys are valid for good' },
  },
  images: {
    owner: 'games',
    backup: {
      where: (
        id,
      ) => `hash in (select logo from games where id in (${gamesOf(id)}) union select image from games where id in (${gamesOf(id)})
      union select hash from game_images where game_id in (${gamesOf(id)}))`,
    },
    clearing: IN_CATALOGUE,
  },
  schedules: {
    owner: 'games',
    backup: { where: (id) => `id in (select schedule_id from games where id in (${gamesOf(id)}))` },
    clearing: IN_CATALOGUE,
  },
  games: {
    owner: 'games',
    backup: { where: (id) => `id in (${gamesOf(id)})` },
    clearing: IN_CATALOGUE,
  },
  times: {
    owner: 'games',
    backup: { where: (id) => `id in (select time_id from game_times where game_id in (${gamesOf(id)}))` },
    clearing: IN_CATALOGUE,
  },
  game_images: {
    owner: 'games',
    backup: { where: (id) => `game_id in (${gamesOf(id)})` },
    clearing: IN_CATALOGUE,
  },
  game_times: {
    owner: 'games',
    backup: { where: (id) => `game_id in (${gamesOf(id)})` },
    clearing: IN_CATALOGUE,
  },
  network_games: {
    owner: 'games',
    clearing: { stays: 'holds only the current state' },
  },
  draw_terms: {
    owner: 'draws',
    backup: {
      where: (networkId) =>
        `id in (select terms_id from draws where network_id = ${networkId} union all select terms_id from undone_draws
          where network_id = ${networkId})`,
    },
    clearing: { stays: 'draws of all networks share the few terms' },
  },
  draws: {
    owner: 'draws',
    clearing: {
      draw: 'draws without tickets, or with cleared ones',
      ticket: 'notes that the tickets are cleared',
      result: 'saved and confirmed results',
    },
  },
  undone_draws: {
    owner: 'backup',
    clearing: UNDONE_STAYS,
  },
  undone_tickets: {
    owner: 'backup',
    clearing: UNDONE_STAYS,
  },
  undone_clearings: {
    owner: 'backup',
    clearing: UNDONE_STAYS,
  },
  undone_cleared: {
    owner: 'backup',
    clearing: UNDONE_STAYS,
  },
  tickets: {
    owner: 'tickets',
    clearing: OF_TICKETS,
  },
  ticket_wins: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  corrections: {
    owner: 'settlement',
    clearing: { stays: 'tickets of corrected draws stay too' },
  },
  ticket_corrections: {
    owner: 'settlement',
    clearing: { stays: 'tickets of corrected draws stay too' },
  },
  ticket_claims: {
    owner: 'tickets',
    clearing: OF_TICKETS,
  },
  ticket_prints: { owner: 'tickets', clearing: OF_TICKETS },
  exposures: { owner: 'tickets', clearing: OF_TICKETS },
  draw_settlements: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  draw_settlings: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  settlement_pieces: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  player_settlements: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  settled_remainders: {
    owner: 'settlement',
    clearing: OF_TICKETS,
  },
  rollups: {
    owner: 'settlement',
    ofRoot: { account_id: 'superadmin' },
    clearing: SUMS_STAY,
  },
  claim_sums: {
    owner: 'tickets',
    clearing: SUMS_STAY,
  },
  return_sums: {
    owner: 'settlement',
    clearing: SUMS_STAY,
  },
  liability_days: {
    owner: 'liability',
    clearing: SUMS_STAY,
  },
  audit_verdicts: {
    owner: 'liability',
    backup: { left: 'audits cover the whole installation' },
    clearing: { stays: 'audits cover the whole installation' },
  },
  ...NOTICE_TABLES,
  clearings: CHECKPOINT,
  wallet_gaps: CHECKPOINT,
  activity_gaps: CHECKPOINT,
  cleared_draws: CHECKPOINT,
  cleared_results: CHECKPOINT,
  cleared_requests: CHECKPOINT,
  cleared_days: CHECKPOINT,
  cleared_marks: CHECKPOINT,
  cleared_remainders: CHECKPOINT,
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
