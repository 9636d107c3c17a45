import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { instantAt, wallClock } from '@drawhouse/rules/time/zone-days';

export interface FileTarget {
  readonly kind: 'file';
  readonly folder: string;
}

export interface SftpTarget {
  readonly kind: 'sftp';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absolute, or relative to the user's home. */
  readonly folder: string;
  /** Accepted fingerprints, `SHA256:…`. */
  readonly hostKeys: readonly string[];
  readonly keyFile: string | undefined;
  readonly secret: string | undefined;
}

export interface S3Target {
  readonly kind: 's3';
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Undefined: Amazon S3. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKey: { readonly id: string; readonly secret: string } | undefined;
}

export type TransferTarget = FileTarget | SftpTarget | S3Target;

const URL_NAME = 'BACKUP_TRANSFER_URL';
const EXAMPLES = 'file:///mnt/elsewhere/backups, sftp://user@host/backups or s3://bucket?region=eu-west-1';
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/;

/** Errors never show secrets. */
export function readTransferTarget(text: (name: string) => string | undefined): TransferTarget | undefined {
  const targetUrl = text(URL_NAME);
  if (targetUrl === undefined) {
    const orphanSetting = ['BACKUP_TRANSFER_SECRET', 'BACKUP_TRANSFER_KEY_FILE', 'BACKUP_TRANSFER_HOST_KEY'].find(text);
    if (orphanSetting !== undefined)
      throw new Error(`${orphanSetting} needs ${URL_NAME}, the place that backups are transferred to.`);
    return undefined;
  }
  const url = URL.canParse(targetUrl) ? new URL(targetUrl) : undefined;
  if (url?.password)
    throw new Error(
      `${URL_NAME} must not contain a password, because it is shown. Set BACKUP_TRANSFER_SECRET instead.`,
    );
  if (url?.protocol === 'file:') return fileTarget(url);
  if (url?.protocol === 'sftp:' && url.hostname !== '') return sftpTarget(url, text);
  if (url?.protocol === 's3:' && url.hostname !== '') return s3Target(url, text('BACKUP_TRANSFER_SECRET'));
  throw new Error(`${URL_NAME} must look like ${EXAMPLES}.`);
}

function fileTarget(url: URL): FileTarget {
  if (url.host !== '' || url.pathname === '/' || url.search !== '' || url.hash !== '')
    throw new Error(`${URL_NAME} must give a folder with three slashes, such as file:///mnt/elsewhere/backups.`);
  return { kind: 'file', folder: fileURLToPath(url) };
}

function sftpTarget(url: URL, text: (name: string) => string | undefined): SftpTarget {
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const port = Number(url.port || 22);
  if (url.username === '')
    throw new Error(`${URL_NAME} must include the user: sftp://user@${url.host}${url.pathname}.`);
  const hostKeys = text('BACKUP_TRANSFER_HOST_KEY')?.split(/[\s,]+/) ?? [];
  const where = `${port === 22 ? '' : `-p ${port} `}${host}`;
  if (hostKeys.length === 0)
    throw new Error(
      `BACKUP_TRANSFER_HOST_KEY is missing. Without it, another machine could pose as ${host}. ` +
        `"ssh-keyscan ${where} | ssh-keygen -lf -" shows its fingerprints (SHA256:…): compare them with its ` +
        'operator, and set one.',
    );
  if (!hostKeys.every((key) => FINGERPRINT.test(key)))
    throw new Error(
      `BACKUP_TRANSFER_HOST_KEY must be a fingerprint as shown by "ssh-keyscan ${where} | ssh-keygen -lf ` +
        '-": SHA256: and 43 letters and digits.',
    );
  const [keyFile, secret] = [text('BACKUP_TRANSFER_KEY_FILE'), text('BACKUP_TRANSFER_SECRET')];
  if (keyFile === undefined && secret === undefined)
    throw new Error(
      `${URL_NAME} needs BACKUP_TRANSFER_KEY_FILE, a file with a private key, or BACKUP_TRANSFER_SECRET, the password.`,
    );
  return {
    kind: 'sftp',
    host,
    port,
    user: decoded(url.username),
    // Supports `~` for the home folder.
    folder: decoded(url.pathname).replace(/^\/~(?=\/|$)/, '.') || '.',
    hostKeys: hostKeys.map((key) => key.replace(/=$/, '')),
    keyFile: keyFile && path.resolve(keyFile),
    secret,
  };
}

function s3Target(url: URL, secret: string | undefined): S3Target {
  const { endpoint, region, ...unknown } = Object.fromEntries(url.searchParams) as Record<string, string | undefined>;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw new Error(`${URL_NAME} has ?${other}=…, but only endpoint and region are supported.`);
  const isAddress = endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '');
  if (!isAddress) throw new Error(`${URL_NAME} must have an endpoint that begins with https:// or http://.`);
  if (endpoint === undefined && region === undefined)
    throw new Error(`${URL_NAME} needs ?region=…, or ?endpoint=https://… for a store other than Amazon's.`);
  if ((url.username === '') !== (secret === undefined))
    throw new Error(
      `${URL_NAME} needs both or neither: the access key id (s3://ID@bucket) and BACKUP_TRANSFER_SECRET.`,
    );
  const prefix = decoded(url.pathname).replaceAll(/^\/+|\/+$/g, '');
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    endpoint,
    // Other stores expect or ignore this region.
    region: region ?? 'us-east-1',
    accessKey: secret === undefined ? undefined : { id: decoded(url.username), secret },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${URL_NAME} has a % that is not followed by two hex digits. Write it as %25.`);
  }
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export interface BackupPlan {
  /** 0 is Sunday. Undefined: every day. */
  readonly weekday: number | undefined;
  /** Time of day. */
  readonly atMs: number;
  readonly keep: number;
  /** Maximum age in days. Undefined: no limit. */
  readonly keepDays: number | undefined;
}

/** `daily`, `daily 03:30`, `weekly` or `weekly sunday 03:30`. */
const PLAN = new RegExp(
  `^(?:(?<daily>daily)|weekly(?: (?<weekday>${WEEKDAYS.join('|')}))?)(?: (?<time>[0-2]?\\d:[0-5]\\d))?$`,
);
const USUAL_TIME = '04:00';
const USUAL_KEEP = 7;

/** Undefined if off. Throws an Error with a correction, also for retention without a schedule. */
export function readBackupPlan(
  schedule: string,
  { keep, keepDays }: { keep: number | undefined; keepDays: number | undefined },
): BackupPlan | undefined {
  if (schedule === 'off') {
    if (keep === undefined && keepDays === undefined) return undefined;
    throw new Error(
      `${keep === undefined ? 'BACKUP_KEEP_DAYS' : 'BACKUP_KEEP'} needs BACKUP_SCHEDULE, which schedules backups.`,
    );
  }
  const { daily, weekday = WEEKDAYS[0], time = USUAL_TIME } = PLAN.exec(schedule.toLowerCase())?.groups ?? { time: '' };
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  if (time === '' || hours > 23)
    throw new Error(
      'BACKUP_SCHEDULE must be off, daily or weekly, with an optional time: daily 03:30, or weekly sunday 03:30.',
    );
  return {
    weekday: daily === undefined ? WEEKDAYS.indexOf(weekday as (typeof WEEKDAYS)[number]) : undefined,
    atMs: (hours * 60 + minutes) * 60_000,
    keep: keep ?? USUAL_KEEP,
    keepDays,
  };
}

export function lastTimeOf({ weekday, atMs }: BackupPlan, at: Date, timeZone: string): Date {
  const wallOf = wallClock(timeZone);
  const wall = wallOf(at);
  const midnight = wall - (wall % DAY_MS);
  const dayAgo = (days: number): number => midnight - days * DAY_MS;
  const isOn = (day: number): boolean => weekday === undefined || new Date(day).getUTCDay() === weekday;
  for (let days = 0; ; days++) {
    const time = instantAt(dayAgo(days) + atMs, wallOf);
    if (isOn(dayAgo(days)) && time <= at) return time;
  }
}
