/** Display in support bundles: in full, as addresses without credentials, or only as set. */
export type Telling = 'as it is' | 'as an address' | 'as addresses' | 'that it is set';

/** All settings of config.ts. Unlisted settings are not shown. */
export const SETTINGS: Readonly<Record<string, Telling>> = {
  PORT: 'as it is',
  HOST: 'as it is',
  DATA_DIR: 'as it is',
  BACKUP_DIR: 'as it is',
  BACKUP_KEY: 'that it is set',
  BACKUP_SCHEDULE: 'as it is',
  BACKUP_KEEP: 'as it is',
  BACKUP_QUOTA: 'as it is',
  BACKUP_KEEP_DAYS: 'as it is',
  BACKUP_TRANSFER_URL: 'as an address',
  BACKUP_TRANSFER_SECRET: 'that it is set',
  BACKUP_TRANSFER_KEY_FILE: 'as it is',
  BACKUP_TRANSFER_HOST_KEY: 'as it is',
  DATABASE_URL: 'as an address',
  DATABASE_OWNER_URL: 'as an address',
  SUPERADMIN_PASSWORD: 'that it is set',
  SUPERADMIN_BY_TOKEN: 'as it is',
  TIME_ZONE: 'as it is',
  SEED_KEY: 'that it is set',
  SEED_KEY_FILE: 'as it is',
  // Arguments may contain secret-store credentials.
  SEED_KEY_COMMAND: 'that it is set',
  SEAL_DIR: 'as it is',
  SEAL_KEY: 'that it is set',
  SEAL_KEY_FILE: 'as it is',
  SEAL_NAME: 'as it is',
  SEAL_WITNESSES: 'that it is set',
  LOG_LEVEL: 'as it is',
  LOG_FORMAT: 'as it is',
  RETENTION_DAYS: 'as it is',
  SIGNUP_RETAILER: 'that it is set',
  TRUST_PROXY: 'as it is',
  SESSION_CALLS_PER_SECOND: 'as it is',
  ADDRESS_CALLS_PER_SECOND: 'as it is',
  BET_BATCH_MAX: 'as it is',
  SETTLE_WHOLE_UP_TO: 'as it is',
  SETTLE_PIECE_PLAYERS: 'as it is',
  BEACONS: 'as addresses',
  BEACON_DEADLINE_SECONDS: 'as it is',
  // The path may be secret.
  NOTIFY_URL: 'that it is set',
  NOTIFY_SECRET: 'that it is set',
  AUDIT_EVERY_DAYS: 'as it is',
  METRICS_PORT: 'as it is',
  METRICS_HOST: 'as it is',
  METRICS_TOKEN: 'that it is set',
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

/** Maximum edit distance; 1 for short names. */
const MOST_LETTERS = 2;
const SHORT = 7;

export interface StrayName {
  readonly name: string;
  readonly meant: string | undefined;
}

export function strayNames(names: readonly string[]): StrayName[] {
  const known = Object.keys(SETTINGS);
  return names
    .filter((name) => !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const [nearest] = known
        .map((setting) => ({ setting, letters: lettersApart(plain(name), plain(setting)) }))
        .filter(({ setting, letters }) => letters <= (setting.length < SHORT ? 1 : MOST_LETTERS))
        .toSorted((a, b) => a.letters - b.letters);
      return nearest || isOfFamily(name) ? [{ name, meant: nearest?.setting }] : [];
    });
}

/** Settings of earlier versions. Ignoring one silently would surprise its user. */
const REMOVED: ReadonlySet<string> = new Set([
  'KEEPER_URL',
  'KEEPER_DEADLINE_SECONDS',
  'DRAND_URL',
  'DRAND_CHAIN',
  'SEAL_MIRROR_TOKEN',
]);

/**
 * Throws on removed settings and on names one letter away from a setting, because they would silently do nothing. Case,
 * hyphens and underscores do not count.
 */
export function refuseMisspelt(env: Readonly<Record<string, string | undefined>>): void {
  const set = Object.keys(env).filter((name) => env[name]?.trim());
  const removed = set.filter((name) => REMOVED.has(name)).map((name) => `${name} was removed. Leave it out.`);
  const misspelt = strayNames(set.filter((name) => !REMOVED.has(name))).flatMap(({ name, meant }) =>
    meant !== undefined && lettersApart(plain(name), plain(meant)) <= 1
      ? [`${name} is not a setting. Did you mean ${meant}?`]
      : [],
  );
  const wrong = [...removed, ...misspelt];
  if (wrong.length > 0) throw new Error(wrong.join(' '));
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[-_]/g, '');
}

/** Damerau-Levenshtein distance. */
export function lettersApart(one: string, other: string): number {
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
