import { stat } from 'node:fs/promises';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { lastTimeOf } from '../../config/backup-settings.ts';
import { readNetworks, readState, troubleOf } from '../../backup/keep/backup-schedule.ts';
import { isRight, takenAt, type KnownBackup } from '../../backup/keep/next-step.ts';
import { isIdentity } from '../../backup/take/archive/encryption.ts';
import { readBackups, readHistory } from '../../backup/keep/backup-folders.ts';
import type { Manifest } from '../../backup/take/archive/manifest.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { latestWork } from '../../activity/network-work/network-work.ts';
import { fault, ok, timeText, warning, localText, type Finding } from './findings.ts';

const DAY_MS = 86_400_000;
/** Age limit without a schedule. */
const OLD_MS = 8 * DAY_MS;
const ELSEWHERE =
  'Set BACKUP_TRANSFER_URL, or set BACKUP_DIR to a folder on another disk: docs/manual/running.md, backups elsewhere.';

export interface BackupSurroundings {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly timeZone: string;
}

type Right = KnownBackup & { readonly manifest: Manifest };

export interface NetworkBackups {
  readonly networkId: number;
  readonly username: string;
  readonly all: readonly KnownBackup[];
  readonly right: readonly Right[];
  readonly trouble: string | undefined;
}

export async function readAllBackups(surroundings: BackupSurroundings): Promise<NetworkBackups[]> {
  const { config, db } = surroundings;
  const found: NetworkBackups[] = [];
  for (const { id, networkId, username } of await readNetworks(db)) {
    const folders = await readBackups(config.backupDir, id);
    const all = await Promise.all(folders.map(async (one) => ({ ...one, history: await readHistory(one.folder) })));
    const right = all.filter((one): one is Right => isRight(one));
    found.push({ networkId, username, all, right, trouble: await troubleIn(surroundings, { id, username }) });
  }
  return found;
}

async function troubleIn(
  { config, db, clock, timeZone }: BackupSurroundings,
  network: { readonly id: string; readonly username: string },
): Promise<string | undefined> {
  const { backupPlan: plan, backupDir: dir, backupKey: key, backupTransfer } = config;
  if (!plan) return undefined;
  const parts = {
    services: { clock, timeZone },
    settings: { dir, key },
    work: { latest: (adminId: string) => latestWork(db, adminId) },
    transferring: backupTransfer,
  };
  const state = await readState(parts, plan, network, new Map());
  // The doctor has not just started, so no grace period.
  const trouble = troubleOf(state, network, new Date(0));
  if (!trouble) return undefined;
  return trouble.code === 'BACKUP_FAILED'
    ? trouble.detail
    : trouble.last === null
      ? 'overdue: no backup has been taken yet'
      : `overdue: the last one was taken on ${localText(new Date(trouble.last))}`;
}

export async function checkBackups(surroundings: BackupSurroundings): Promise<Finding[]> {
  const { config, clock, timeZone } = surroundings;
  const networks = await readAllBackups(surroundings);
  if (networks.length === 0) return [ok('backups', 'There are no networks yet.')];
  return [...judgeBackups(networks, config, clock.now(), timeZone), ...(await whereTheyLie(config, networks))];
}

export function judgeBackups(
  networks: readonly NetworkBackups[],
  { backupPlan }: Pick<Config, 'backupPlan'>,
  now: Date,
  timeZone: string,
): Finding[] {
  const of = `of ${networks.length} ${networks.length === 1 ? 'network' : 'networks'}`;
  const found: Finding[] = [];
  const inTrouble = networks.filter(({ trouble }) => trouble !== undefined);
  if (inTrouble.length > 0)
    found.push(
      fault(
        'backups',
        `The scheduled backups of ${inTrouble.length} ${of} failed or are overdue.`,
        `${NOTICES.BACKUP_FAILED.text} ${NOTICES.BACKUP_OVERDUE.text}`,
        inTrouble.map(({ username, trouble }) => `${username}: ${trouble}`),
      ),
    );
  const never = networks.filter(({ right }) => right.length === 0);
  const old = networks.filter(({ right: [newest] }) => newest && now.getTime() - takenAt(newest) > OLD_MS);
  const byPlan = backupPlan
    ? `The next one is due after ${localText(lastTimeOf(backupPlan, now, timeZone))}.`
    : 'Set BACKUP_SCHEDULE, such as daily 03:30, or run npm run backup.';
  if (never.length > 0 && inTrouble.length === 0)
    found.push(
      warning(
        'backups',
        `${never.length} ${of} ${never.length === 1 ? 'has' : 'have'} no intact backup.`,
        byPlan,
        never.map(({ username }) => username),
      ),
    );
  if (old.length > 0 && !backupPlan)
    found.push(
      warning(
        'backups',
        `The newest backup of ${old.length} ${of} is more than ${OLD_MS / DAY_MS} days old.`,
        byPlan,
        old.map(({ username, right: [newest] }) => `${username}: ${localText(new Date(newest!.manifest.takenAt))}`),
      ),
    );
  if (found.length > 0) return found;
  const oldest = Math.min(...networks.map(({ right: [newest] }) => takenAt(newest!)));
  return [
    ok(
      'backups',
      `Each ${of} has a backup. The oldest of the newest ones was taken ${timeText(now.getTime() - oldest)} ago.`,
    ),
  ];
}

/** Backups should not share a disk with the data, nor depend on a key of this machine alone. */
async function whereTheyLie(config: Config, networks: readonly NetworkBackups[]): Promise<Finding[]> {
  const { databaseUrl, dataDir, backupDir, backupTransfer, backupKey } = config;
  const found: Finding[] = [];
  if (backupTransfer === undefined && databaseUrl === undefined && networks.some(({ all }) => all.length > 0)) {
    const [data, backups] = await Promise.all(
      [dataDir, backupDir].map((folder) => stat(folder).catch(() => undefined)),
    );
    if (data && data.dev === backups?.dev)
      found.push(
        warning('backups', 'They are on the same disk as the database, so one broken disk destroys both.', ELSEWHERE),
      );
  }
  if (backupKey !== undefined && !isIdentity(backupKey))
    found.push(
      ok(
        'backups',
        'They are encrypted for a recipient, so this machine can’t read or test them. Keep the identity safe.',
      ),
    );
  return found;
}
