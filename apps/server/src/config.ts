import { join, resolve } from 'node:path';
import { isTimeZone } from '@drawhouse/contract/frame/primitives';
import { readBackupPlan } from './backup-plan.ts';
import type { BackupPlan } from './backup-plan.ts';
import { readMetricsSettings } from './metrics-settings.ts';
import type { MetricsSettings } from './metrics-settings.ts';
import { readTransferTarget } from './transfer-target.ts';
import { readBeacons } from './beacon-settings.ts';
import type { BeaconSettings } from './beacon-settings.ts';
import { readNotify } from './notify-settings.ts';
import type { NotifySettings } from './notify-settings.ts';
import { readSealSettings } from './seal-settings.ts';
import type { Witness } from './seal-settings.ts';
import type { TransferTarget } from './transfer-target.ts';

/** Every setting of the server. */
export interface Config {
  /** `PORT`: the TCP port of the web server. Default 3000. */
  readonly port: number;
  /** `HOST`: the address it listens on. Default 127.0.0.1, this machine only. */
  readonly host: string;
  /** `DATA_DIR`: where the embedded database, the seed key and the logs of a single machine live. Default ./data. */
  readonly dataDir: string;
  /** `BACKUP_DIR`: where backups lie, a folder for each network. Default `backups` in DATA_DIR. */
  readonly backupDir: string;
  /** `BACKUP_QUOTA`: how many backups a network may have beside those of the schedule and those that clearings and restores take first, and how often it may be restored in 90 days. Default 20. */
  readonly backupQuota: number;
  /** `BACKUP_KEY`: an age identity, or the recipient of one, for which backups are encrypted. Default none: they are not. */
  readonly backupKey: string | undefined;
  /** `BACKUP_TRANSFER_URL`: where backups can be transferred to: file:, sftp: or s3:. Default none. */
  /** `BACKUP_TRANSFER_SECRET`: sftp: the password, or the passphrase of the key; s3: the secret of the access key. Default none. */
  /** `BACKUP_TRANSFER_KEY_FILE`: sftp: a file with the private key. Default none. */
  /** `BACKUP_TRANSFER_HOST_KEY`: sftp: fingerprints of the server, SHA256:…, of which it has to show one. Default none. */
  readonly backupTransfer: TransferTarget | undefined;
  /** `RETENTION_DAYS`: so many days before today are never cleared. Default 0. */
  readonly retentionDays: number;
  /** `BACKUP_SCHEDULE`: when each network is backed up: off, daily or weekly, then a time as in `daily 03:30`, `weekly sunday 03:30`. Default off. */
  /** `BACKUP_KEEP`: so many of these backups are kept of each network. Default 7. */
  /** `BACKUP_KEEP_DAYS`: these backups go when they are older, in days. Default none: only their number counts. */
  readonly backupPlan: BackupPlan | undefined;
  /** `DATABASE_URL`: an own PostgreSQL (15 or later) in place of the embedded one. Default none. */
  readonly databaseUrl: string | undefined;
  /** `DATABASE_OWNER_URL`: the same database for the role that owns its tables; it migrates and grants. Default DATABASE_URL itself. */
  readonly databaseOwnerUrl: string | undefined;
  /** `SUPERADMIN_PASSWORD`: for the first start. Default none: a random one is printed once. */
  readonly superadminPassword: string | undefined;
  /** `SUPERADMIN_BY_TOKEN`: false: a superadmin's session without an elevation makes no sensitive call by its token alone. Default true. */
  readonly superadminByToken: boolean;
  /** `TIME_ZONE`: the day of reports and daily collections, an IANA name; fixed by the first start. Default that of this machine. */
  readonly timeZone: string | undefined;
  /** `SEED_KEY`: 64 hex digits that encrypt unrevealed seeds. Default: made at the first start and kept in DATA_DIR. */
  readonly seedKey: string | undefined;
  /** `SEED_KEY_FILE`: a file with the 64 hex digits, kept apart from the database. Default none. */
  readonly seedKeyFile: string | undefined;
  /** `SEAL_DIR`: where the seals lie, outside the database. Default `seals` in DATA_DIR. */
  readonly sealDir: string;
  /** `SEAL_KEY`: 64 hex digits, the Ed25519 key that signs the seals. Default: made at the first start and kept in DATA_DIR. */
  readonly sealKey: string | undefined;
  /** `SEAL_KEY_FILE`: a file with the 64 hex digits, kept apart from the database. Default none. */
  readonly sealKeyFile: string | undefined;
  /** `SEAL_NAME`: what the logs of seals are called, an address without https:// by custom. Default none: it follows from the key. */
  readonly sealName: string | undefined;
  /** `SEAL_WITNESSES`: keys of witnesses, with commas between them, each with @ and its address where the server is to ask it. Default none. */
  readonly sealWitnesses: readonly Witness[];
  /** `SEED_KEY_COMMAND`: a program with its arguments that prints the 64 hex digits, as one of a secret store does. Default none. */
  readonly seedKeyCommand: readonly string[] | undefined;
  /** `LOG_LEVEL`: fatal, error, warn, info, debug, trace or silent. Default warn. */
  readonly logLevel: string;
  /** `LOG_FORMAT`: text for people, json for programs. Default text on a terminal, else json. */
  readonly logFormat: 'text' | 'json' | undefined;
  /** `SIGNUP_RETAILER`: username of the retailer that players who sign up belong to. Default none: signing up is refused. */
  readonly signupRetailer: string | undefined;
  /** `TRUST_PROXY`: true behind one reverse proxy that sets or extends X-Forwarded-For. Default false. */
  readonly trustProxy: boolean;
  /** `SESSION_CALLS_PER_SECOND`: what one session may call in the long run. Default 100, three seconds' worth at once. */
  readonly sessionCallsPerSecond: number | undefined;
  /** `ADDRESS_CALLS_PER_SECOND`: what one address may call without a session. Default 20, ten seconds' worth at once. */
  readonly addressCallsPerSecond: number | undefined;
  /** `BET_BATCH_MAX`: the most bets that are taken in one transaction. Default 500; with 1 each has its own, to compare. */
  readonly betBatchMax: number | undefined;
  /** `SETTLE_WHOLE_UP_TO`: draws with more tickets are settled in pieces. Default 10000. */
  readonly settleWholeUpTo: number | undefined;
  /** `SETTLE_PIECE_PLAYERS`: how many players a piece has. Default 3000. */
  readonly settlePiecePlayers: number | undefined;
  /** `BEACONS`: up to three beacons that games may use, each as https://host/path#key, with commas between them. Default none. */
  /** `BEACON_DEADLINE_SECONDS`: so long after its draw time a draw waits for their values; then it is void. Default 60. */
  readonly beacons: BeaconSettings;
  /** `NOTIFY_URL`: where notices are sent as they begin and end, by a webhook: http: or https:. Default none: nowhere. */
  /** `NOTIFY_SECRET`: what signs them: whsec_ and 24 to 64 bytes in Base64. Default none. */
  readonly notify: NotifySettings | undefined;
  /** `AUDIT_EVERY_DAYS`: so many days after the last whole audit a notice says that it is overdue; 0: never. Default 31. */
  readonly auditEveryDays: number;
  /** `METRICS_PORT`: a port of its own for the figures of the server, /metrics, as Prometheus reads them. Default none: they are not served. */
  /** `METRICS_HOST`: the address that it listens on there. Default 127.0.0.1, this machine only. */
  /** `METRICS_TOKEN`: what who reads the figures shows; with it they are on the public port too. Default none. */
  readonly metrics: MetricsSettings;
}

/** The environment as it is, for whoever looks at settings that {@link readConfig} refuses, or does not know. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The forms of an age identity and of a recipient. */
const BACKUP_KEY = /^(?:AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}|age1[02-9ac-hj-np-z]{58})$/;

/**
 * Reads the settings from the environment. Throws an Error that names the setting and what would be right.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const dataDir = resolve(text('DATA_DIR') ?? 'data');
  const port = Number(text('PORT') ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('PORT must be a whole number from 0 to 65535.');
  const timeZone = text('TIME_ZONE');
  // PostgreSQL counts offsets such as +05:30 the other way round.
  if (timeZone !== undefined && !(isTimeZone(timeZone) && /^[a-z]/i.test(timeZone)))
    throw new Error('TIME_ZONE must be an IANA time zone such as Asia/Kolkata.');
  const logLevel = text('LOG_LEVEL') ?? 'warn';
  if (!LOG_LEVELS.includes(logLevel)) throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  const logFormat = text('LOG_FORMAT');
  if (logFormat !== undefined && logFormat !== 'text' && logFormat !== 'json')
    throw new Error('LOG_FORMAT must be text or json.');
  const seals = readSealSettings(text, dataDir);
  const address = (name: string): string | undefined => {
    const url = text(name);
    if (url !== undefined && !/^postgres(ql)?:\/\//.test(url))
      throw new Error(`${name} must begin with postgres:// or postgresql://.`);
    return url;
  };
  const databaseUrl = address('DATABASE_URL');
  const databaseOwnerUrl = address('DATABASE_OWNER_URL');
  if (databaseOwnerUrl !== undefined && databaseUrl === undefined)
    throw new Error('DATABASE_OWNER_URL needs DATABASE_URL, the same database for the role that serves.');
  const flag = (name: string, byDefault: boolean): boolean => {
    const given = text(name) ?? String(byDefault);
    if (given !== 'true' && given !== 'false') throw new Error(`${name} must be true or false.`);
    return given === 'true';
  };
  const count = (name: string, max: number): number | undefined => {
    const given = text(name);
    if (given !== undefined && !(/^[1-9]\d{0,6}$/.test(given) && Number(given) <= max))
      throw new Error(`${name} must be a whole number from 1 to ${max}.`);
    return given === undefined ? undefined : Number(given);
  };
  const retentionDays = text('RETENTION_DAYS') ?? '0';
  if (!/^\d{1,5}$/.test(retentionDays)) throw new Error('RETENTION_DAYS must be a whole number from 0 to 99999.');
  const auditEveryDays = text('AUDIT_EVERY_DAYS') ?? '31';
  if (!/^\d{1,3}$/.test(auditEveryDays)) throw new Error('AUDIT_EVERY_DAYS must be a whole number from 0 to 999.');
  const backupKey = text('BACKUP_KEY');
  if (backupKey !== undefined && !BACKUP_KEY.test(backupKey))
    throw new Error(
      'BACKUP_KEY must be an age identity (AGE-SECRET-KEY-1…) or a recipient (age1…), as age-keygen makes them.',
    );
  return {
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
    superadminPassword: text('SUPERADMIN_PASSWORD'),
    superadminByToken: flag('SUPERADMIN_BY_TOKEN', true),
    timeZone,
    ...readSeedKey(text),
    ...seals,
    signupRetailer: text('SIGNUP_RETAILER'),
    logLevel,
    logFormat,
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

/** Where the seed key comes from: at most one of its three settings. */
function readSeedKey(text: Text): Pick<Config, 'seedKey' | 'seedKeyFile' | 'seedKeyCommand'> {
  const given = ['SEED_KEY', 'SEED_KEY_FILE', 'SEED_KEY_COMMAND'].filter((name) => text(name) !== undefined);
  if (given.length > 1) throw new Error(`${given.join(' and ')} are both set: give one of them.`);
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

/**
 * The words of a command, by the quotes that shells know: what stands in single or double quotes is one word, or part of one, as it is. No shell
 * runs it, so nothing in it is put in place or runs something else.
 */
function wordsOf(command: string): string[] {
  const pieces = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;
  if (command.replaceAll(pieces, '').trim() !== '') throw new Error('SEED_KEY_COMMAND has a quote that does not end.');
  return (command.match(pieces) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two),
  );
}

/** The folder that the database lies in; undefined where that is one of its own, which may be on any machine. */
export function databaseDirOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string | undefined {
  return databaseUrl === undefined ? dataDir : undefined;
}
