import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { isTimeZone } from '@drawhouse/contract/core/primitives';
import { type Weekday, WEEKDAYS } from '@drawhouse/rules/records/week-balance';
import { parseClusterAddress, type WantedRole } from './cluster-address.ts';
import { type BackupPlan, readBackupPlan, readTransferTarget, type TransferTarget } from './backup-settings.ts';
import {
  type BeaconSettings,
  readBeacons,
  readSealSettings,
  type Witness,
  type NotifySettings,
  readNotify,
} from './outside-services.ts';

/** setting-names.ts explains each setting. */
export interface Config {
  readonly servers: number;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly backupDir: string;
  readonly backupQuota: number;
  readonly backupKey: string | undefined;
  readonly backupTransfer: TransferTarget | undefined;
  readonly retentionDays: number;
  readonly backupPlan: BackupPlan | undefined;
  readonly databaseUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
  readonly reportsUrl: string | undefined;
  readonly cellName: string | undefined;
  /** Address, or data folder of the cell whose embedded PostgreSQL has it. Undefined: this cell's own. */
  readonly directoryUrl: string | undefined;
  /** Address at which other cells reach this one. Undefined: its port on this machine. */
  readonly cellUrl: string | undefined;
  readonly superadminPassword: string | undefined;
  readonly superadminByToken: boolean;
  readonly superadminFactor: boolean;
  readonly publicUrl: string | undefined;
  readonly breachedPasswords: string | undefined;
  readonly timeZone: string | undefined;
  readonly firstWeekday: Weekday;
  readonly seedKey: string | undefined;
  readonly seedKeyFile: string | undefined;
  readonly sealDir: string;
  readonly sealKey: string | undefined;
  readonly sealKeyFile: string | undefined;
  readonly sealName: string | undefined;
  readonly sealWitnesses: readonly Witness[];
  readonly seedKeyCommand: readonly string[] | undefined;
  readonly logLevel: string;
  readonly logFormat: 'text' | 'json' | undefined;
  readonly signupRetailer: string | undefined;
  readonly trustProxy: boolean;
  readonly sessionCallsPerSecond: number | undefined;
  readonly addressCallsPerSecond: number | undefined;
  readonly betBatchMax: number | undefined;
  readonly settleWholeUpTo: number | undefined;
  readonly settlePiecePlayers: number | undefined;
  readonly beacons: BeaconSettings;
  readonly notify: NotifySettings | undefined;
  readonly auditEveryDays: number;
  readonly metrics: MetricsSettings;
}

/** Raw, for diagnosing settings that {@link readConfig} rejects or ignores. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

const SERVERS_MAX = 64;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const BACKUP_KEY = /^(?:AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}|age1[02-9ac-hj-np-z]{58})$/;

export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const { text, address, flag, count } = settingReaders(env);
  const dataDir = resolve(text('DATA_DIR') ?? 'data');
  const port = Number(text('PORT') ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('PORT must be a whole number from 0 to 65535.');
  const seals = readSealSettings(text, dataDir);
  const databaseUrl = address('DATABASE_URL');
  const databaseOwnerUrl = address('DATABASE_OWNER_URL');
  const reportsUrl = address('REPORTS_URL', 'standby');
  if (reportsUrl !== undefined && databaseUrl === undefined)
    throw new Error('REPORTS_URL needs DATABASE_URL: the embedded database has no standby.');
  if (databaseOwnerUrl !== undefined && databaseUrl === undefined)
    throw new Error("DATABASE_OWNER_URL needs DATABASE_URL: the same database, for the server's role.");
  const retentionDays = text('RETENTION_DAYS') ?? '0';
  if (!/^\d{1,5}$/.test(retentionDays)) throw new Error('RETENTION_DAYS must be a whole number from 0 to 99999.');
  const auditEveryDays = text('AUDIT_EVERY_DAYS') ?? '31';
  if (!/^\d{1,3}$/.test(auditEveryDays)) throw new Error('AUDIT_EVERY_DAYS must be a whole number from 0 to 999.');
  const backupKey = text('BACKUP_KEY');
  if (backupKey !== undefined && !BACKUP_KEY.test(backupKey))
    throw new Error(
      'BACKUP_KEY must be an age identity (AGE-SECRET-KEY-1…) or a recipient (age1…). Create one with age-keygen.',
    );
  return {
    servers:
      text('SERVERS') === 'auto' ? Math.max(1, availableParallelism() - 1) : (count('SERVERS', SERVERS_MAX) ?? 1),
    port,
    host: text('HOST') ?? '127.0.0.1',
    dataDir,
    backupDir: resolve(text('BACKUP_DIR') ?? join(dataDir, 'backups')),
    backupKey,
    backupQuota: count('BACKUP_QUOTA', 1_000) ?? 20,
    backupTransfer: readTransferTarget(text),
    retentionDays: Number(retentionDays),
    backupPlan: readBackupPlan(text('BACKUP_SCHEDULE') ?? 'off', {
      keep: count('BACKUP_KEEP', 1_000),
      keepDays: count('BACKUP_KEEP_DAYS', 3_650),
    }),
    databaseUrl,
    databaseOwnerUrl,
    reportsUrl,
    ...readCell(text, databaseUrl),
    superadminPassword: text('SUPERADMIN_PASSWORD'),
    breachedPasswords: text('BREACHED_PASSWORDS'),
    superadminByToken: flag('SUPERADMIN_BY_TOKEN', true),
    publicUrl: readPublicUrl(text),
    superadminFactor: flag('SUPERADMIN_FACTOR', false),
    timeZone: readTimeZone(text),
    firstWeekday: readFirstWeekday(text),
    ...readSeedKey(text),
    ...seals,
    signupRetailer: text('SIGNUP_RETAILER'),
    ...readLogging(text),
    trustProxy: flag('TRUST_PROXY', false),
    sessionCallsPerSecond: count('SESSION_CALLS_PER_SECOND', 999_999),
    addressCallsPerSecond: count('ADDRESS_CALLS_PER_SECOND', 999_999),
    betBatchMax: count('BET_BATCH_MAX', 5_000),
    settleWholeUpTo: count('SETTLE_WHOLE_UP_TO', 1_000_000),
    settlePiecePlayers: count('SETTLE_PIECE_PLAYERS', 100_000),
    beacons: readBeacons(text),
    notify: readNotify(text),
    auditEveryDays: Number(auditEveryDays),
    metrics: readMetricsSettings(text),
  };
}

type Text = (name: string) => string | undefined;

function readPublicUrl(text: Text): string | undefined {
  const url = text('PUBLIC_URL');
  if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw new Error('PUBLIC_URL must be the address that people open, e.g. https://games.example.org.');
  return url;
}

/** Each reader throws an Error naming the setting and a valid value. */
function settingReaders(env: Readonly<Record<string, string | undefined>>) {
  const text: Text = (name) => env[name]?.trim() || undefined;
  const address = (name: string, wanted: WantedRole = 'primary'): string | undefined => {
    const url = text(name);
    if (url === undefined) return undefined;
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error(`${name} must begin with postgres:// or postgresql://.`);
    const cluster = parseClusterAddress(url);
    if (cluster && cluster.wanted !== wanted)
      throw new Error(`${name} needs target_session_attrs=${wanted === 'primary' ? 'read-write' : 'prefer-standby'}.`);
    return url;
  };
  const flag = (name: string, byDefault: boolean): boolean => {
    const value = text(name) ?? String(byDefault);
    if (value !== 'true' && value !== 'false') throw new Error(`${name} must be true or false.`);
    return value === 'true';
  };
  const count = (name: string, max: number): number | undefined => {
    const value = text(name);
    if (value !== undefined && !(/^[1-9]\d{0,6}$/.test(value) && Number(value) <= max))
      throw new Error(`${name} must be a whole number from 1 to ${max}.`);
    return value === undefined ? undefined : Number(value);
  };
  return { text, address, flag, count };
}

const CELL_NAME = /^[a-z][a-z0-9-]{0,15}$/;

function readCell(text: Text, databaseUrl: string | undefined): Pick<Config, 'cellName' | 'directoryUrl' | 'cellUrl'> {
  const cellName = text('CELL_NAME');
  const directory = text('DIRECTORY_URL');
  if (cellName !== undefined && !CELL_NAME.test(cellName))
    throw new Error('CELL_NAME must have 1 to 16 letters from a to z, digits or hyphens, and begin with a letter.');
  if (directory !== undefined && cellName === undefined)
    throw new Error('DIRECTORY_URL needs CELL_NAME: the name of this cell.');
  if (cellName !== undefined && directory === undefined && databaseUrl !== undefined)
    throw new Error('CELL_NAME with DATABASE_URL needs DIRECTORY_URL: the database of the directory.');
  const isAddress = directory !== undefined && /^postgres(ql)?:\/\//.test(directory);
  const cellUrl = text('CELL_URL');
  if (cellUrl !== undefined && !/^https?:$/.test(URL.parse(cellUrl)?.protocol ?? ''))
    throw new Error('CELL_URL must be an address such as http://10.0.0.5:3000, where other cells reach this one.');
  return { cellName, cellUrl, directoryUrl: directory === undefined || isAddress ? directory : resolve(directory) };
}

function readTimeZone(text: Text): string | undefined {
  const timeZone = text('TIME_ZONE');
  // PostgreSQL inverts the sign of offsets such as +05:30.
  if (timeZone !== undefined && !(isTimeZone(timeZone) && /^[a-z]/i.test(timeZone)))
    throw new Error('TIME_ZONE must be an IANA time zone such as Asia/Kolkata.');
  return timeZone;
}

function readFirstWeekday(text: Text): Weekday {
  const name = text('WEEK_STARTS_ON') ?? 'sunday';
  const weekday = WEEKDAYS.find((each) => each === name.toLowerCase());
  if (!weekday) throw new Error(`WEEK_STARTS_ON must be one of ${WEEKDAYS.join(', ')}.`);
  return weekday;
}

function readLogging(text: Text): Pick<Config, 'logLevel' | 'logFormat'> {
  const logLevel = text('LOG_LEVEL') ?? 'warn';
  if (!LOG_LEVELS.includes(logLevel)) throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  const logFormat = text('LOG_FORMAT');
  if (logFormat !== undefined && logFormat !== 'text' && logFormat !== 'json')
    throw new Error('LOG_FORMAT must be text or json.');
  return { logLevel, logFormat };
}

/** Only one of the three settings may be set. */
function readSeedKey(text: Text): Pick<Config, 'seedKey' | 'seedKeyFile' | 'seedKeyCommand'> {
  const setNames = ['SEED_KEY', 'SEED_KEY_FILE', 'SEED_KEY_COMMAND'].filter((name) => text(name) !== undefined);
  if (setNames.length > 1) throw new Error(`${setNames.join(' and ')} are both set. Set only one of them.`);
  const seedKey = text('SEED_KEY');
  if (seedKey !== undefined && !/^[0-9a-f]{64}$/i.test(seedKey)) throw new Error('SEED_KEY must be 64 hex digits.');
  const seedKeyFile = text('SEED_KEY_FILE');
  const command = text('SEED_KEY_COMMAND');
  return {
    seedKey,
    seedKeyFile: seedKeyFile && resolve(seedKeyFile),
    seedKeyCommand: command === undefined ? undefined : wordsOf(command),
  };
}

/** Shell quoting, but no shell runs it, so nothing is expanded. */
function wordsOf(command: string): string[] {
  const pieces = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;
  if (command.replaceAll(pieces, '').trim() !== '') throw new Error('SEED_KEY_COMMAND has an unclosed quote.');
  return (command.match(pieces) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two),
  );
}

/** An external database may be on any machine. */
export function databaseDirOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string | undefined {
  return databaseUrl === undefined ? dataDir : undefined;
}

interface MetricsSettings {
  readonly port: number | undefined;
  readonly host: string;
  readonly token: string | undefined;
}

/** Shorter tokens could be guessed. */
const TOKEN_LEAST = 16;

function readMetricsSettings(text: (name: string) => string | undefined): MetricsSettings {
  const port = text('METRICS_PORT');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw new Error('METRICS_PORT must be a whole number from 0 to 65535.');
  const token = text('METRICS_TOKEN');
  if (token !== undefined && !(token.length >= TOKEN_LEAST && /^[\x21-\x7e]+$/.test(token)))
    throw new Error(
      `METRICS_TOKEN must have at least ${TOKEN_LEAST} characters and no spaces. Create one with openssl rand -hex 32.`,
    );
  return { port: port === undefined ? undefined : Number(port), host: text('METRICS_HOST') ?? '127.0.0.1', token };
}

export const VERSION = '0.1.0';
