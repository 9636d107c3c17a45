/**
 * Evidence for each change of a mutable sealed row. Without it, anyone with database access could get a change sealed
 * as the next version.
 * - `log`: logged in the same transaction.
 * - `audit`: the named audit check derives the row from other records. The row is frozen after `until` is set.
 * - `records`: columns in `once` change once, from null; others never.
 * - `states`: draw states decide.
 *
 * With `log`, `once` also binds a row that returns after removal.
 */
type ChangeProof =
  | { readonly by: 'log'; readonly once?: readonly string[] }
  | { readonly by: 'audit'; readonly check: string; readonly until?: string }
  | { readonly by: 'records'; readonly once: readonly string[] }
  | { readonly by: 'states' };

const LOG = { by: 'log' } as const;
const audit = (check: string, until?: string): ChangeProof => ({ by: 'audit', check, ...(until && { until }) });
const once = (...columns: string[]): ChangeProof => ({ by: 'records', once: columns });

/** A test fails for tables without an entry. */
export const CHANGE_PROOFS: Readonly<Record<string, ChangeProof>> = {
  // The log alone could be forged briefly, so a network's owner never changes.
  networks: { ...LOG, once: [] },
  accounts: LOG,
  games: LOG,
  game_images: LOG,
  times: LOG,
  schedules: LOG,
  game_times: LOG,
  network_games: LOG,
  house_settings: LOG,
  landing_settings: LOG,
  alert_thresholds: LOG,
  api_keys: LOG,
  logins: LOG,
  factors: LOG,
  approval_rules: LOG,
  standing_orders: LOG,
  approvals: LOG,
  protections: audit('every protection of a player follows from its history'),
  draws: { by: 'states' },
  corrections: once('done_at'),
  idempotency_keys: once('answer'),
  liability_days: audit('every summed day equals the transfers up to its end'),
  clearings: audit('every clearing of history is logged', 'finished_at'),
  cleared_days: audit('what was cleared of days is what is missing from histories'),
  cleared_marks: audit('every ordered transfer is logged'),
  cleared_remainders: audit('every remainder of a commission goes on from the one before'),
  wallet_gaps: audit('gaps in histories and logs match what was cleared'),
  activity_gaps: audit('gaps in histories and logs match what was cleared'),
};

/** Derived, so the log does not name them. */
export const FOLLOWING_FIELDS: Readonly<Record<string, readonly string[]>> = { accounts: ['chain'] };

export const LOGGED_TABLES: readonly string[] = Object.entries(CHANGE_PROOFS)
  .filter(([, { by }]) => by === 'log')
  .map(([table]) => table);

const OPENED = [
  'game_id',
  'terms_id',
  'opens_at',
  'closes_at',
  'draws_at',
  'clock_number',
  'bets_from',
  'rate_changes',
  'commission_ceiling',
  'commitment',
  'outside',
];
/** Fixed at close, draw and end. Void draws lose their result. */
const CLOSED = ['closed_at', 'ticket_count', 'ticket_root'];
const DRAWN = ['source', 'result', 'result_label', 'booster'];
/** Of a settled outside draw, by a correction. */
const CORRECTED = ['result', 'result_label'];
const ENDED = ['status', 'seed', 'finished_at', 'void_cause'];
/** Replaceable until drawn, may be cleared later. */
const SAVED = [
  'saved_at',
  'saved_by',
  'saved_ip',
  'saved_result',
  'saved_booster',
  'cover',
  'confirmed_by',
  'confirmed_ip',
];
const STATES = ['open', 'closed', 'drawn', 'settling', 'settled'];

type Columns = Readonly<Record<string, string | undefined>>;

const NONE = String.raw`\N`;

/** Columns that may be set once while all others stay. */
export function onceOf(table: string): readonly string[] | undefined {
  const proved = CHANGE_PROOFS[table];
  return proved && 'once' in proved ? proved.once : undefined;
}

/** Compares consecutive records of a row. */
export function forbiddenChange(table: string, before: Columns, after: Columns): string | undefined {
  const proved = CHANGE_PROOFS[table];
  if (proved?.by === 'states') return forbiddenDrawChange(before, after);
  if (proved?.by === 'audit' && proved.until !== undefined && before[proved.until] !== NONE)
    return Object.keys(after).find((column) => after[column] !== before[column]);
  const writeOnceColumns = onceOf(table);
  if (!writeOnceColumns) return undefined;
  const mayCome = (column: string): boolean => writeOnceColumns.includes(column) && before[column] === NONE;
  return Object.keys(after).find((column) => after[column] !== before[column] && !mayCome(column));
}

/** True if `after` only fills NULLs of `before`. Arrays as COPY writes them. */
function isFilledIn(before: string | undefined, after: string | undefined): boolean {
  if (before === after) return true;
  const [oldItems, newItems] = [before, after].map((array) => array?.replace(/^\{(.*)\}$/, '$1').split(','));
  return (
    oldItems?.length === newItems?.length &&
    oldItems!.every((value, place) => value === 'NULL' || value === newItems![place])
  );
}

function forbiddenDrawChange(before: Columns, after: Columns): string | undefined {
  const differs = (column: string): boolean => after[column] !== before[column];
  const [oldStatus, newStatus] = [before['status']!, after['status']!];
  const hasEnded = oldStatus === 'settled' || oldStatus === 'void';
  const isDrawn = STATES.indexOf(oldStatus) >= STATES.indexOf('drawn');
  if (newStatus !== 'void' && STATES.indexOf(newStatus) < STATES.indexOf(oldStatus)) return 'status';
  // The audit compares the result with the corrections.
  const isOutside = after['outside'] !== undefined && after['outside'] !== NONE;
  const mayCorrect = isOutside && oldStatus === 'settled' && newStatus === 'settled';
  const drawn = mayCorrect ? DRAWN.filter((column) => !CORRECTED.includes(column)) : DRAWN;
  const fixed = [
    ...OPENED,
    ...(oldStatus === 'open' ? [] : CLOSED),
    ...(isDrawn && newStatus !== 'void' ? drawn : []),
    ...(before['seed'] === NONE ? [] : ['seed']),
    ...(hasEnded ? [...ENDED, ...drawn] : []),
  ];
  const saved = hasEnded || isDrawn ? SAVED.filter((column) => after[column] !== NONE) : [];
  const isLeft = before['tickets_cleared'] === 't' ? ['tickets_cleared'] : [];
  // Beacon values come after the close record, proof that tickets were fixed earlier.
  const maySet = oldStatus !== 'open' && isFilledIn(before['beacon_signatures'], after['beacon_signatures']);
  const values = maySet ? [] : ['beacon_signatures'];
  const isSeen = oldStatus !== 'open' && before['root_sealed_at'] === NONE ? [] : ['root_sealed_at'];
  return [...fixed, ...saved, ...isLeft, ...values, ...isSeen].find(differs);
}
