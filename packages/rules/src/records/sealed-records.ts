/** Sealed row by row, or in batches ({@link BATCHED_TABLES}). */
export interface SealedTable {
  /** Primary key columns, first in each record. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly as?: Readonly<Record<string, string>>;
  readonly where?: string;
  /**
   * `record`: inserted once, immutable. `changes`: mutable, the last record counts. `forgotten`: deleted after it
   * expires.
   */
  readonly row: 'record' | 'changes' | 'forgotten';
  /** Unsealed columns with reasons. */
  readonly left?: Readonly<Record<string, string>>;
}

const words = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

function sealed(
  row: SealedTable['row'],
  key: string,
  columns: string,
  rest: Partial<Pick<SealedTable, 'as' | 'where' | 'left'>> = {},
): SealedTable {
  return { key: words(key), columns: words(columns), row, ...rest };
}

/** Hashes secrets in SQL. */
const hashOf = (column: string): string => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`;

const OF_DRAWS = '(7, 9, 10, 11)';

/** Listed in log order per round. The audit derives other tables from these: balances, sums, stakes, bet transfers. */
export const SEALED_TABLES: Readonly<Record<string, SealedTable>> = {
  // First, because a row may be removed and return between two rounds.
  removals: sealed('record', 'id', 'of_table key'),
  pinned_settings: sealed('record', 'name', 'value'),
  networks: sealed('changes', 'id', 'admin_id', {
    left: { wallets: 'it counts the wallets, which are sealed', arrives: 'it is only set during a move' },
  }),
  accounts: sealed(
    'changes',
    'id',
    'parent_id chain role username unique_id active created_at deleted_at commission daily_limit token_sessions note ' +
      'password_hash password_set_at password_set_by commission_ceiling commission_granted table_line test_network factor_roles ' +
      'temporary_until password_first remember_devices staff_addresses staff_starts_minute staff_ends_minute',
    {
      as: { password_hash: hashOf('password_hash') },
      left: {
        network_id: 'it is that of its admin, the second of the chain',
        last_login_at: 'sign-ins are in the log',
        simulated_until:
          'starts and stops of simulated players are in the log, and their bets are sealed as all others',
      },
    },
  ),
  logins: sealed(
    'changes',
    'network_id account_id number',
    'created_at removed_at password_set_at temporary_until daily_limit password_set_by password_set_by_login ' +
      'starts_minute ends_minute active role username name password_hash permissions games addresses',
    { as: { password_hash: hashOf('password_hash') }, left: { last_login_at: 'sign-ins are in the log' } },
  ),
  rate_changes: sealed('record', 'network_id account_id nth', 'at before after'),
  games: sealed(
    'changes',
    'id',
    'game_key name family digits status unit_price manual_claims labelled result_mode pays release_date deleted_at ' +
      'description publisher logo image schedule_id',
  ),
  game_images: sealed('changes', 'game_id position', 'hash'),
  times: sealed('changes', 'id', 'seconds'),
  schedules: sealed('changes', 'id', 'name plan'),
  game_times: sealed('changes', 'game_id position', 'time_id'),
  network_games: sealed(
    'changes',
    'network_id game_id',
    'assigned_at per_number per_ticket per_player win_percentage beacons closures',
  ),
  house_settings: sealed(
    'changes',
    'id',
    'name color help_line age_notice terms gambling_help logo logo_width logo_height',
  ),
  landing_settings: sealed('changes', 'network_id', 'winners_shown wall_key_hash wall_made_at'),
  alert_thresholds: sealed('changes', 'network_id', 'table_below worst_above'),
  api_keys: sealed(
    'changes',
    'network_id number',
    'id made_by made_at ended_at end_is_kept stake_per_day tickets_per_minute key_hash name ending addresses ' +
      'permissions credit_per_day expires_at',
    {
      left: {
        last_used_at: 'the tickets of a key show what it staked',
        minute_at: 'it counts one minute',
        minute_tickets: 'it counts one minute',
      },
    },
  ),
  factors: sealed(
    'changes',
    'network_id account_id login number',
    'made_at kind name host secret credential public_key',
    {
      as: { secret: "encode(sha256(coalesce(secret, '')), 'hex')" },
      left: { last_used_at: 'sign-ins are in the log', last_step: 'it refuses codes that were used' },
    },
  ),
  standing_orders: sealed(
    'changes',
    'network_id id',
    'at account_id giver_id login kind amount clock weekdays measure next_at last_at last_amount skipped stopped_at ended_at ' +
      'ended_by ending',
  ),
  approval_rules: sealed('changes', 'network_id kind', 'above'),
  approvals: sealed(
    'changes',
    'network_id number',
    'id account_id login kind state at expires_at decided_at decided_by decided_login amount method path url ip subject reason ' +
      'key input changes result api_key',
  ),
  protection_changes: sealed(
    'record',
    'network_id account_id nth',
    'id at holds_from until before after by_account is_kept what side step length reason',
  ),
  protections: sealed(
    'changes',
    'network_id account_id',
    `stake_per_draw stake_per_day stake_per_week stake_per_month loss_per_day loss_per_week loss_per_month minutes_per_day break_until
     excluded_until changes`,
  ),
  week_payments: sealed(
    'record',
    'network_id id',
    'at account_id parent_id actor_id amount incoming method reference note reverses',
  ),
  week_terms: sealed('record', 'network_id id', 'at account_id parent_id actor_id from_day share commission_with_week'),
  week_closings: sealed(
    'record',
    'network_id account_id parent_id from_day',
    'id at actor_id to_day carried late balance share commission_with_week days note',
  ),
  week_notes: sealed('record', 'network_id id', 'at account_id parent_id actor_id from_day kind about note'),
  wallets: sealed('record', 'network_id id', 'owner_id kind', {
    left: {
      balance: 'it follows from the transfers',
      version: 'it counts the transfers',
      staked: 'it follows from the transfers',
      remainder: 'it follows from the settlements',
      carried: 'it counts the settlements',
      protection: 'it counts the changes of protection, which are sealed',
    },
  }),
  draw_terms: sealed('record', 'id', 'unit_price rules_version manual_claims pays weights result_mode beacons'),
  draws: sealed(
    'changes',
    'network_id id',
    `game_id terms_id opens_at closes_at draws_at clock_number bets_from rate_changes commission_ceiling commitment status closed_at
     ticket_count ticket_root saved_at saved_by saved_ip saved_result saved_booster cover confirmed_by
     confirmed_ip source result result_label booster seed finished_at void_cause tickets_cleared
     beacon_signatures root_sealed_at outside`,
    {
      left: {
        sealed_seed: 'it is secret, and its commitment says which it is',
        awaits_until: 'it is the deadline for beacon values or an outside result, and the log says when it passed',
      },
    },
  ),
  tickets: sealed(
    'record',
    'network_id id',
    'draw_id account_id request request_hash api_key placed_at stake ip digest lines',
  ),
  draw_settlings: sealed('record', 'network_id draw_id', 'began_at stake win players manual_claims'),
  settlement_pieces: sealed('record', 'network_id draw_id paid_at', 'players paid'),
  draw_settlements: sealed('record', 'network_id draw_id', 'settled_at manual_claims'),
  player_settlements: sealed(
    'record',
    'network_id draw_id account_id',
    'stake win super_commission dist_commission retail_commission user_commission paid_at',
  ),
  settled_remainders: sealed('record', 'network_id draw_id account_id nth', 'before after paid_at'),
  ticket_wins: sealed('record', 'network_id draw_id ticket_id', 'win paid_at'),
  corrections: sealed(
    'changes',
    'network_id draw_id nth',
    'at approval before_result after_result before_label after_label reason done_at',
  ),
  ticket_corrections: sealed('record', 'network_id draw_id ticket_id nth', 'at account_id win moved paid'),
  ticket_claims: sealed('record', 'network_id ticket_id', 'claimed_at'),
  ticket_prints: sealed('record', 'network_id ticket_id nth', 'printed_at'),
  transfers: sealed(
    'record',
    'network_id from_wallet from_version',
    'to_wallet to_version amount from_balance to_balance kind at id actor_id reference note',
    { where: `kind not in ${OF_DRAWS}` },
  ),
  idempotency_keys: sealed('changes', 'network_id account_id key', 'at request_hash answer'),
  liability_days: sealed(
    'changes',
    'network_id day',
    'player_credit staff_credit escrow winnings commission tables outside',
  ),
  activity: sealed('record', 'network_id seq', 'at id account_id chain username subject url method ip detail hash', {
    left: {
      superadmin_id: 'derived from the chain',
      superdistributor_id: 'derived from the chain',
      distributor_id: 'derived from the chain',
      retailer_id: 'derived from the chain',
    },
  }),
  past_sessions: sealed('forgotten', 'token_hash', 'account_id began_at ended_at'),
  clearings: sealed(
    'changes',
    'network_id id model',
    'started_at finished_at starts_at ends_at removed log_rows amount account_id username backup',
  ),
  cleared_draws: sealed(
    'record',
    'network_id draw_id',
    'game_id finished_at collected_at stake win commissions tickets players status source',
  ),
  cleared_results: sealed('record', 'network_id seq', ''),
  cleared_requests: sealed('record', 'network_id request', ''),
  cleared_days: sealed(
    'changes',
    'network_id day',
    'player_credit staff_credit escrow winnings commission tables outside settled_worth claims_worth',
  ),
  cleared_remainders: sealed('changes', 'network_id account_id', 'settlements change'),
  cleared_marks: sealed('changes', 'network_id about', 'marks'),
  wallet_gaps: sealed(
    'changes',
    'network_id wallet_id first_version',
    'last_version opening closing gained spent first_at last_at',
  ),
  activity_gaps: sealed('changes', 'network_id first_seq', 'last_seq last_hash'),
  restores: sealed(
    'record',
    'network_id id',
    'at taken_at amount root_log_from root_log_until root_version_from root_version_until username',
  ),
  undone_activity: sealed('record', 'network_id seq', 'restore_id'),
  moves: sealed('record', 'network_id id', 'at taken_at amount border_version told_hash username'),
  moved_activity: sealed('record', 'network_id seq', 'move_id at id account_id username subject detail'),
};

export const BATCHES = 'batches';

/** High-volume tables, sealed by batch root. */
export const BATCHED_TABLES: readonly string[] = ['tickets', 'ticket_wins', 'player_settlements', 'settled_remainders'];

const BATCH_RECORDS = sealed('record', 'network_id of_table draw_id written_by', 'row_count root');

const kindOf = (kind: string): SealedTable => (kind === BATCHES ? BATCH_RECORDS : SEALED_TABLES[kind]!);

/** Listed in log order. Batches replace tickets. */
export const SEALED_RECORDS: Readonly<Record<string, SealedTable>> = Object.fromEntries(
  Object.entries(SEALED_TABLES).flatMap(([table, row]) => {
    if (table === 'tickets') return [[BATCHES, BATCH_RECORDS]];
    return BATCHED_TABLES.includes(table) ? [] : [[table, row]];
  }),
);

export function recordColumns(table: string): readonly string[] {
  const { key, columns } = kindOf(table);
  return [...key, ...columns];
}

export const RECORD_VERSION = 1;

/** First line of a record: kind and format version. */
export function kindLine(table: string): string {
  return `${table} ${RECORD_VERSION}`;
}

/**
 * Keeps the record's column order. `condition` extends the table's own, `from` replaces the table, `before` adds
 * leading columns.
 */
export function selectRecords(table: string, condition: string, from = table, before: readonly string[] = []): string {
  const { as = {}, where } = SEALED_TABLES[table]!;
  const list = [...before, ...recordColumns(table).map((column) => as[column] ?? column)].join(', ');
  return `select ${list} from ${from} where ${where ? `${where} and ` : ''}${condition}`;
}

/** Makes text independent of PostgreSQL settings. */
export const TEXT_SETTINGS =
  "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1";
