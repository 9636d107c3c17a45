/** Support bundles show a value unchanged, as an address without credentials, or only as set. */
export type Disclosure = 'as it is' | 'as an address' | 'as addresses' | 'that it is set';

interface Setting {
  readonly disclosure: Disclosure;
  /** The manual shows the default, or words if it depends on the machine. */
  readonly defaultText: string;
  readonly description: string;
}

function disclosed(disclosure: Disclosure) {
  return (defaultText: string, description: string): Setting => ({ disclosure, defaultText, description });
}
const shown = disclosed('as it is');
const address = disclosed('as an address');
const addresses = disclosed('as addresses');
const secret = disclosed('that it is set');

/** `npm run docs` writes this table into docs/manual/running.md. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  PORT: shown('3000', 'TCP port; 0 takes a free one.'),
  SERVERS: shown('1', 'Serving processes that share the port; `auto`: one less than the cores.'),
  HOST: shown('127.0.0.1', 'Address to listen on. 0.0.0.0 listens on all; put HTTPS in front.'),
  TRUST_PROXY: shown(
    'false',
    'true behind one reverse proxy: the last address in `X-Forwarded-For` is then the caller.',
  ),
  DATA_DIR: shown('./data', 'Embedded database, keys, backups, seals and logs.'),
  DATABASE_URL: address(
    'none',
    'Your own PostgreSQL (15 or later) instead of the embedded one. ' +
      'Several hosts: `host1,host2,host3`; the primary is found.',
  ),
  DATABASE_OWNER_URL: address(
    'none',
    'The same database for the role that owns the tables. Without it, `DATABASE_URL` must be the owner.',
  ),
  REPORTS_URL: address(
    'none',
    'A standby for the turnover, commission and return reports and their files. ' +
      'Several hosts need `?target_session_attrs=prefer-standby`.',
  ),
  CELL_NAME: shown(
    'none',
    'Name of this cell in a [group of cells](../operations.md#more-than-one-machine). Fixed once it joined.',
  ),
  DIRECTORY_URL: address(
    'the embedded one',
    "PostgreSQL database of the group's directory, or `DATA_DIR` of the cell whose embedded PostgreSQL has it.",
  ),
  CELL_URL: shown(
    'PORT on this machine',
    "Where the other cells reach this one, for the superadmin's figures of all cells. Needed on several machines.",
  ),
  SUPERADMIN_PASSWORD: secret('none', 'Password for the first start. By default, a random password is printed once.'),
  SUPERADMIN_BY_TOKEN: shown(
    'true',
    'false: superadmin sessions always need an elevation or the password for sensitive calls.',
  ),
  PUBLIC_URL: shown(
    'none',
    'Address that people open. Passkeys belong to it; without it, to the host of the request, which a proxy must then pass on.',
  ),
  SUPERADMIN_FACTOR: shown(
    'false',
    'true: superadmins need a second factor. Without one, they are led to adding it at sign-in.',
  ),
  BREACHED_PASSWORDS: shown(
    'none',
    'File of passwords that nobody may choose: sorted SHA-1 lines, as Have I Been Pwned gives them. It is searched, not loaded.',
  ),
  TIME_ZONE: shown("the machine's", 'IANA zone whose days reports, filters and limits use. Fixed by the first start.'),
  WEEK_STARTS_ON: shown('sunday', 'First weekday of the weekly sheets.'),
  SIGNUP_RETAILER: secret(
    'none',
    'Username of the retailer that new players belong to. Without it, sign-up is refused.',
  ),
  SEED_KEY: secret('none', '64 hex digits that encrypt unrevealed seeds. Without a key, one is created in `DATA_DIR`.'),
  SEED_KEY_FILE: shown('none', 'File with these digits.'),
  // Arguments may contain credentials.
  SEED_KEY_COMMAND: secret('none', 'Command that prints these digits, for example from a secret store.'),
  SEAL_DIR: shown('seals in `DATA_DIR`', 'Folder of the seals, outside the database. Several servers share it.'),
  SEAL_KEY: secret(
    'none',
    '64 hex digits: the Ed25519 key that signs the seals. Without a key, one is created in `DATA_DIR`.',
  ),
  SEAL_KEY_FILE: shown('none', 'File with these digits.'),
  SEAL_NAME: shown('none', 'Name of the logs, by custom an address without `https://`. Without it, the key decides.'),
  SEAL_WITNESSES: secret(
    'none',
    'Keys of witnesses, separated by commas; append `@https://…` to have the server call that witness.',
  ),
  BEACONS: addresses(
    'none',
    'Up to three beacons that games may use, as `https://host/path#key`, separated by commas.',
  ),
  BEACON_DEADLINE_SECONDS: shown(
    '60',
    'A draw waits 5 to 3600 seconds after its draw time for beacon values; then it is void.',
  ),
  BACKUP_DIR: shown(
    'backups in `DATA_DIR`',
    'Folder of the backups, one subfolder per network. Several servers share it.',
  ),
  BACKUP_KEY: secret('none', 'age recipient or identity that backups are encrypted for.'),
  BACKUP_SCHEDULE: shown('off', '`daily 03:30` or `weekly sunday 03:30` backs up every network at that time.'),
  BACKUP_KEEP: shown('7', 'Scheduled backups kept per network.'),
  BACKUP_KEEP_DAYS: shown('none', 'Scheduled backups older than this many days are deleted.'),
  BACKUP_QUOTA: shown('20', 'Manual backups an admin may keep, and restores per network in 90 days from its page.'),
  BACKUP_TRANSFER_URL: address('none', 'Second place for backups: `file:`, `sftp:` or `s3:`.'),
  BACKUP_TRANSFER_SECRET: secret('none', 'SFTP: password, or passphrase of the key. S3: secret of the access key.'),
  BACKUP_TRANSFER_KEY_FILE: shown('none', 'SFTP: file with the private key.'),
  BACKUP_TRANSFER_HOST_KEY: shown('none', 'SFTP: accepted host key fingerprints (`SHA256:…`), separated by commas.'),
  RETENTION_DAYS: shown('0', 'Clearing never touches this many days before today.'),
  AUDIT_EVERY_DAYS: shown('31', 'Days after the last full audit until a notice says it is overdue; 0: never.'),
  // The path may contain a secret.
  NOTIFY_URL: secret('none', 'Webhook (http or https) that notices are sent to.'),
  NOTIFY_SECRET: secret('none', 'Signs these messages: `whsec_` and 24 to 64 random bytes in Base64.'),
  METRICS_PORT: shown('none', 'Separate port for `/metrics`.'),
  METRICS_HOST: shown(
    '127.0.0.1',
    'Address of that port. Anyone who reaches it reads the metrics, unless a token is set.',
  ),
  METRICS_TOKEN: secret(
    'none',
    'Bearer token of 16 characters or more. With it, `/metrics` is also on the public port.',
  ),
  LOG_LEVEL: shown('warn', 'fatal, error, warn, info, debug, trace or silent.'),
  LOG_FORMAT: shown(
    'text on a terminal',
    'text or json; json without a terminal. The copy in `DATA_DIR/log` is always JSON.',
  ),
  SESSION_CALLS_PER_SECOND: shown('100', "Sustained calls per session; bursts of three seconds' worth."),
  ADDRESS_CALLS_PER_SECOND: shown(
    '20',
    "Sustained calls per address without a session, sign-in included; bursts of ten seconds' worth.",
  ),
  BET_BATCH_MAX: shown('500', 'Most bets per transaction. 1 turns batching off, for comparison.'),
  SETTLE_WHOLE_UP_TO: shown('10000', 'Draws with more tickets are settled in several transactions.'),
  SETTLE_PIECE_PLAYERS: shown('3000', 'Most players per settlement transaction.'),
};

const COMMON: ReadonlySet<string> = new Set(['PORT', 'HOST', 'DATA', 'TIME']);
const OF_OTHERS: ReadonlySet<string> = new Set(['SESSION_MANAGER', 'LOG_DIR']);
const FAMILIES: ReadonlySet<string> = new Set(
  Object.keys(SETTINGS).flatMap((name) => {
    const family = name.split('_', 1)[0]!;
    return COMMON.has(family) ? [] : [family, `${family}S`];
  }),
);

function isOfFamily(name: string): boolean {
  const capital = name.toUpperCase();
  return capital.includes('_') && FAMILIES.has(capital.split('_', 1)[0]!) && !OF_OTHERS.has(capital);
}

/** Short names allow only 1. */
const MOST_LETTERS = 2;
const SHORT = 7;

export interface UnknownSetting {
  readonly name: string;
  readonly suggestion: string | undefined;
}

export function unknownSettings(names: readonly string[]): UnknownSetting[] {
  const settingNames = Object.keys(SETTINGS);
  return names
    .filter((name) => !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const [nearest] = settingNames
        .map((setting) => ({ setting, letters: editDistance(plain(name), plain(setting)) }))
        .filter(({ setting, letters }) => letters <= (setting.length < SHORT ? 1 : MOST_LETTERS))
        .toSorted((a, b) => a.letters - b.letters);
      return nearest || isOfFamily(name) ? [{ name, suggestion: nearest?.setting }] : [];
    });
}

/** Names one letter away from a setting would silently do nothing. Case, hyphens and underscores do not count. */
export function rejectMisspelled(env: Readonly<Record<string, string | undefined>>): void {
  const set = Object.keys(env).filter((name) => env[name]?.trim());
  const misspelt = unknownSettings(set).flatMap(({ name, suggestion }) =>
    suggestion !== undefined && editDistance(plain(name), plain(suggestion)) <= 1
      ? [`${name} is not a setting. Did you mean ${suggestion}?`]
      : [],
  );
  if (misspelt.length > 0) throw new Error(misspelt.join(' '));
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[-_]/g, '');
}

export function editDistance(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length]!;
}
