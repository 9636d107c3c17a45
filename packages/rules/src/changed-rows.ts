/**
 * By what each change of a row that changes is proved (`SEALED_TABLES`): whoever can write to the database has any change of it sealed as its next version. The transaction of the
 * change has written the log; or a check of the audit, by its name, finds what the row says to follow from the rest of the record; or each of its records goes on
 * from the one before, as the columns say that are given `once` while all others stay. What of a draw may change is told by its states. A row that has what it changes `until` stays.
 * Of what the log proves, too, a row that comes again may have to say what it said.
 */
type ProvedBy =
  | { readonly by: 'log'; readonly once?: readonly string[] }
  | { readonly by: 'audit'; readonly check: string; readonly until?: string }
  | { readonly by: 'records'; readonly once: readonly string[] }
  | { readonly by: 'states' };

const LOG = { by: 'log' } as const;
const audit = (check: string, until?: string): ProvedBy => ({ by: 'audit', check, ...(until && { until }) });
const once = (...columns: string[]): ProvedBy => ({ by: 'records', once: columns });

/** The decision for each table whose rows change; one that has none fails a test. */
export const CHANGES_PROVED: Readonly<Record<string, ProvedBy>> = {
  // Whose it is, is said by the transaction that makes it, or has it come back, and never changes: the log alone could be made up for a moment.
  networks: { ...LOG, once: [] },
  accounts: LOG,
  games: LOG,
  game_images: LOG,
  times: LOG,
  game_times: LOG,
  network_games: LOG,
  landing_settings: LOG,
  api_keys: LOG,
  protections: audit('every protection of a player follows from its history'),
  draws: { by: 'states' },
  idempotency_keys: once('answer'),
  liability_days: audit('every day says what the transfers up to its end come to'),
  clearings: audit('every clearing of history is in the log', 'finished_at'),
  cleared_days: audit('what was cleared of days is what is missing from histories'),
  cleared_marks: audit('every transfer that was ordered is in the log'),
  cleared_remainders: audit('every remainder of a commission goes on from the one before'),
  wallet_gaps: audit('gaps in histories and logs are as large as what was cleared'),
  activity_gaps: audit('gaps in histories and logs are as large as what was cleared'),
};

/** By table the fields of logged rows that follow from other fields, which the log names: the chain of an account from the parents of those in it. */
export const FOLLOWING_FIELDS: Readonly<Record<string, readonly string[]>> = { accounts: ['chain'] };

/** The tables whose every change stands in the log of its transaction. */
export const LOGGED_TABLES: readonly string[] = Object.entries(CHANGES_PROVED)
  .filter(([, { by }]) => by === 'log')
  .map(([table]) => table);

/** What is fixed of a draw when it opens. */
const OPENED = [
  'game_id',
  'terms_id',
  'opens_at',
  'closes_at',
  'draws_at',
  'rate_changes',
  'commission_ceiling',
  'commitment',
];
/** What is fixed when it closes, when it is drawn and when it ends; a draw that is void has no result any more. */
const CLOSED = ['closed_at', 'ticket_count', 'ticket_root'];
const DRAWN = ['source', 'result', 'result_label', 'booster'];
const ENDED = ['status', 'seed', 'finished_at', 'void_cause'];
/** What was declared: it may be replaced until the draw is drawn, and be cleared away later. */
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

/** The columns of a row, as COPY writes them. */
type Columns = Readonly<Record<string, string | undefined>>;

const NONE = String.raw`\N`;

/** Of a table whose records go on from each other column by column: those that are given once while all others stay. */
export function onceOf(table: string): readonly string[] | undefined {
  const proved = CHANGES_PROVED[table];
  return proved && 'once' in proved ? proved.once : undefined;
}

/** The first column that is not as it may be after what it was before, if there is one: in two records of one row that follow each other, as COPY writes their columns. */
export function wrongChange(table: string, before: Columns, after: Columns): string | undefined {
  const proved = CHANGES_PROVED[table];
  if (proved?.by === 'states') return wrongStep(before, after);
  if (proved?.by === 'audit' && proved.until !== undefined && before[proved.until] !== NONE)
    return Object.keys(after).find((column) => after[column] !== before[column]);
  const given = onceOf(table);
  if (!given) return undefined;
  const mayCome = (column: string): boolean => given.includes(column) && before[column] === NONE;
  return Object.keys(after).find((column) => after[column] !== before[column] && !mayCome(column));
}

/** Whether an array of values, as COPY writes it, is the one before with some that were NULL filled in. */
function isFilledIn(before: string | undefined, after: string | undefined): boolean {
  if (before === after) return true;
  const [was, is] = [before, after].map((array) => array?.replace(/^\{(.*)\}$/, '$1').split(','));
  return was?.length === is?.length && was!.every((value, place) => value === 'NULL' || value === is![place]);
}

function wrongStep(before: Columns, after: Columns): string | undefined {
  const differs = (column: string): boolean => after[column] !== before[column];
  const [was, is] = [before['status']!, after['status']!];
  const hasEnded = was === 'settled' || was === 'void';
  const isDrawn = STATES.indexOf(was) >= STATES.indexOf('drawn');
  if (is !== 'void' && STATES.indexOf(is) < STATES.indexOf(was)) return 'status';
  const fixed = [
    ...OPENED,
    ...(was === 'open' ? [] : CLOSED),
    ...(isDrawn && is !== 'void' ? DRAWN : []),
    ...(before['seed'] === NONE ? [] : ['seed']),
    ...(hasEnded ? [...ENDED, ...DRAWN] : []),
  ];
  const saved = hasEnded || isDrawn ? SAVED.filter((column) => after[column] !== NONE) : [];
  const isLeft = before['tickets_cleared'] === 't' ? ['tickets_cleared'] : [];
  // A value comes after the record of the close: the log itself shows that the tickets were fixed before it.
  const maySet = was !== 'open' && isFilledIn(before['beacon_signatures'], after['beacon_signatures']);
  const values = maySet ? [] : ['beacon_signatures'];
  const isSeen = was !== 'open' && before['root_sealed_at'] === NONE ? [] : ['root_sealed_at'];
  return [...fixed, ...saved, ...isLeft, ...values, ...isSeen].find(differs);
}
