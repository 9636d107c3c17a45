import { EventEmitter } from 'node:events';
import { parseArgs } from 'node:util';
import { username as usernameRule } from '@drawhouse/contract/accounts/accounts';
import { safeParse } from 'zod/mini';
import { keepWallKey } from '../players/public-wall.ts';
import type { Actor } from '../accounts/authority.ts';
import { auditStagedNetwork } from '../audit/audit.ts';
import type { OpenDirectory } from '../cells/directory.ts';
import { reachDirectory } from '../cells/join-group.ts';
import { isSafety } from '../backup/take/back-up-network.ts';
import { readBackups, type CompleteBackup, recordTrial, readHistory } from '../backup/keep/backup-folders.ts';
import { toDiskError } from '../backup/keep/disk-space.ts';
import { createRestoring } from '../backup/restore/create-restoring.ts';
import { slipLines } from '../backup/restore/issue-reset-slips.ts';
import { isRight } from '../backup/keep/next-step.ts';
import type { RestoreDependencies } from '../backup/restore/audit-and-swap.ts';
import type { Restoring, RestoringCall } from '../backup/restore/restoring.ts';
import { systemClock } from '../platform/time/clock.ts';
import { runCommandLine, withExistingDatabase } from './command-line.ts';
import { databaseDirOf, readConfig, type Config } from '../config/config.ts';
import type { BackupTrust } from '../backup/take/archive/sign-manifest.ts';
import { findSealKey } from '../transparency/transparency.ts';
import { connect, type Database } from '../platform/db/database.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { createDrawMachine } from '../settlement/draw-machine.ts';
import { createSeedVault, requireSeedKey } from '../draws/seed/seeds.ts';
import { voidUnfinished } from '../settlement/void-unfinished.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { createNetworkWork, type ClosingWork, type NetworkWork } from '../activity/network-work/network-work.ts';
import { networksOf, stoppedBySignal, type NamedNetwork } from './run-backup.ts';
import type { Events, Services } from '../platform/services.ts';
import { pinnedTimeZone } from '../platform/settings/pinned-settings.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/network-work-texts';
import { COMMAND_TEXTS, RESTORE_COMMAND } from './commands-texts.ts';
import { timeWords } from '../protection/protection-texts.ts';

const RESTORE = { verb: 'restore', noun: 'Restore' };
const USAGE = `Usage: npm run restore -- ADMIN [FOLDER] [--rename OLD=NEW …] [--yes]
       npm run restore -- --all [--yes]
       npm run restore -- --try [ADMIN …]
       npm run restore -- --undo ADMIN

  Restores the network of an admin from a backup in BACKUP_DIR, by default the newest intact one, after backing up its
  current state. Backups taken before a restore and damaged ones do not count as the newest. Without --yes it only shows
  what would be lost.

  --all      restores every network from its newest intact backup
  --trust-key  restores a backup signed by another key: an earlier
             seal key of this installation
  --unsigned restores an unsigned backup
  --rename   a new username for one that another network has taken since
  --try      loads the newest intact backup of each network into a staged copy, audits it and drops it
  --undo     brings back the state before the network's last restore, within 24 hours

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

const BY = 'npm run restore';
const POOL = 4;

export interface RestoreArgs {
  readonly what: 'restore' | 'try' | 'undo';
  readonly admins: readonly string[];
  readonly folder: string | undefined;
  readonly renames: Readonly<Record<string, string>>;
  readonly trust: BackupTrust;
  readonly isMeant: boolean;
}

export interface RestoreTools {
  readonly config: Config;
  readonly address: string;
  readonly services: Services;
  readonly work: NetworkWork;
  readonly parts: RestoreDependencies;
  readonly restoring: Restoring;
  readonly stop: AbortSignal;
  readonly seedKey: string;
  readonly directory: OpenDirectory | undefined;
}

export function parseRestoreArgs(args: readonly string[]): RestoreArgs {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      try: { type: 'boolean' },
      undo: { type: 'boolean' },
      yes: { type: 'boolean' },
      rename: { type: 'string', multiple: true },
      ...TRUST_OPTIONS,
    },
  });
  if (values.try && values.undo) throw new Error(RESTORE_COMMAND.tryOrUndo);
  const what = values.try ? 'try' : values.undo ? 'undo' : 'restore';
  const [admin, folder, ...rest] = positionals;
  if (what === 'restore' && (values.all === true) === (admin !== undefined))
    throw new Error(RESTORE_COMMAND.adminOrAll);
  if (what === 'undo' && (admin === undefined || folder !== undefined)) throw new Error(RESTORE_COMMAND.nameAdmin);
  if (what === 'restore' && rest.length > 0) throw new Error(RESTORE_COMMAND.adminAndFolder);
  return {
    what,
    admins: what === 'try' ? positionals : admin === undefined ? [] : [admin],
    folder: what === 'restore' ? folder : undefined,
    renames: readRenames(values.rename ?? []),
    trust: readTrust(values),
    isMeant: values.yes === true,
  };
}

/** For backups not signed by this installation. */
export const TRUST_OPTIONS = {
  'trust-key': { type: 'string', multiple: true },
  unsigned: { type: 'boolean' },
} as const;

export function readTrust(given: { 'trust-key'?: readonly string[]; unsigned?: boolean }): BackupTrust {
  const keys = (given['trust-key'] ?? []).map((key) => key.toLowerCase());
  const wrong = keys.find((key) => !/^[0-9a-f]{64}$/.test(key));
  if (wrong !== undefined) throw new Error(RESTORE_COMMAND.wrongKey(wrong));
  return { keys, unsigned: given.unsigned === true };
}

export function readRenames(given: readonly string[]): Record<string, string> {
  const renames = given.map((one) => {
    const [from, to, ...rest] = one.split('=');
    if (!from || !to || rest.length > 0) throw new Error(RESTORE_COMMAND.wrongRename(one));
    const name = safeParse(usernameRule, to);
    if (!name.success) throw new Error(RESTORE_COMMAND.wrongUsername(to, name.error.issues[0]!.message));
    return [from, name.data] as const;
  });
  return Object.fromEntries(renames);
}

async function act(tools: RestoreTools, wish: RestoreArgs, network: NamedNetwork): Promise<string> {
  const { restoring, services } = tools;
  const call: RestoringCall = {
    actor: await actorOf(services.db, network),
    origin: { ...NOWHERE, url: BY },
    isOperator: true,
  };
  const { networkId } = call.actor;
  if (wish.what === 'undo') {
    await alone(tools, network, 'undo', (work) => restoring.undo(call, work), networkId);
    return RESTORE_COMMAND.undone;
  }
  const backup = await backupOf(tools, wish, network);
  if (wish.what === 'try') {
    const problems = await alone(tools, network, 'drill', (work) => restoring.drill(call, backup, work));
    await recordTrial(backup.folder, services.clock.now(), { problems });
    if (problems.length > 0) throw new Error(RESTORE_COMMAND.notRestorable(backup.name, problems.join('; ')));
    return RESTORE_COMMAND.restorable(backup.name);
  }
  const { lost, openDraws, takenAt } = await restoring.losses(call, backup, tools.stop);
  const losses = RESTORE_COMMAND.losses(
    lost.tickets,
    lost.transfers,
    lost.accounts,
    lost.orders,
    lost.changes,
    timeWords(new Date(takenAt), services.timeZone),
    openDraws,
  );
  if (!wish.isMeant) throw new Error(RESTORE_COMMAND.confirm(backup.name, losses));
  const restore = (work: ClosingWork) =>
    restoring.restore({ call, backup, renames: wish.renames, trust: wish.trust }, work);
  const { safetyFolder, notes, slips } = await alone(tools, network, 'restore', restore, networkId);
  return [RESTORE_COMMAND.restored(backup.name, safetyFolder), ...notes, ...slipLines(slips)].join('\n       ');
}

function alone<T>(
  { work, stop }: RestoreTools,
  { adminId }: NamedNetwork,
  kind: WorkKind,
  run: (work: ClosingWork) => Promise<T>,
  closes?: number,
): Promise<T> {
  return work.run({ adminId, kind, by: BY, closes }, (given) =>
    run({ ...given, signal: AbortSignal.any([stop, given.signal]) }).catch((error: unknown) => {
      throw toDiskError(error);
    }),
  );
}

/** Skips safety backups, because restoring one would merely undo the previous restore. */
async function backupOf(
  { config }: RestoreTools,
  { folder }: RestoreArgs,
  { adminId, username }: NamedNetwork,
): Promise<CompleteBackup> {
  const backups = await readBackups(config.backupDir, adminId);
  const complete = backups.filter((backup): backup is CompleteBackup => typeof backup.manifest === 'object');
  if (folder === undefined) {
    for (const backup of complete)
      if (!isSafety(backup.manifest) && isRight({ ...backup, history: await readHistory(backup.folder) }))
        return backup;
    throw new Error(RESTORE_COMMAND.noIntact(username));
  }
  const found = complete.find(({ name }) => name === folder);
  if (found) return found;
  const unfit = backups.find(({ name }) => name === folder);
  if (!unfit) throw new Error(COMMAND_TEXTS.noBackup(username, folder));
  const reason = typeof unfit.manifest === 'string' ? unfit.manifest : RESTORE_COMMAND.unfinished;
  throw new Error(RESTORE_COMMAND.unfit(folder, reason));
}

async function actorOf(db: Database, { adminId }: NamedNetwork): Promise<Actor> {
  const [row] = await db.query<Actor & Record<string, unknown>>(
    sql`select id, network_id as "networkId", username, 0 as login, username as "personName", role, chain
     from accounts where id = ${adminId}`,
  );
  return row!;
}

export async function withRestoreTools<T>(
  config: Config,
  { address, ownerAddress }: { readonly address: string; readonly ownerAddress: string },
  run: (tools: RestoreTools) => Promise<T>,
): Promise<T> {
  const stop = stoppedBySignal();
  const db = connect(address, { onError: () => {}, poolSize: POOL });
  const directory = await reachDirectory(config, db, { ownerUrl: ownerAddress, serverUrl: address });
  try {
    const key = await requireSeedKey(db, config);
    const timeZone = await pinnedTimeZone(db, config.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone);
    const services: Services = {
      db,
      clock: systemClock,
      newId: createUuid7(systemClock),
      events: new EventEmitter<Events>(),
      timeZone,
      directory,
    };
    const machine = createDrawMachine(services, createSeedVault(key));
    const connectionString = (): string => address;
    const parts: RestoreDependencies = {
      services,
      settings: {
        connectionString,
        ownerConnectionString: () => ownerAddress,
        dir: config.backupDir,
        databaseDir: databaseDirOf(config),
        key: config.backupKey,
        sealKey: (await findSealKey(config))?.privateKey,
      },
      beacons: config.beacons.beacons.map(({ publicKey }) => publicKey),
      voidUnfinished: (networkId, signal) => voidUnfinished(machine, networkId, signal),
      keepWallKey,
      audit: auditStagedNetwork,
    };
    const restoring = createRestoring(parts);
    const work = createNetworkWork({ db, clock: systemClock, connectionString });
    return await run({ config, address, services, work, parts, restoring, stop, seedKey: key, directory });
  } finally {
    await directory?.close();
    await db.close();
  }
}

function runWish(wish: RestoreArgs): Promise<number> {
  const config = readConfig();
  return withExistingDatabase(config, RESTORE, (address, ownerAddress) =>
    withRestoreTools(config, { address, ownerAddress }, async (tools) => {
      let failures = 0;
      for (const network of await networksOf(address, wish.admins)) {
        if (tools.stop.aborted) break;
        try {
          console.log(`ok     ${network.username}  ${await act(tools, wish, network)}`);
        } catch (error) {
          failures++;
          console.error(COMMAND_TEXTS.failed(network.username, (error as Error).message));
        }
      }
      return failures > 0 || tools.stop.aborted ? 1 : 0;
    }),
  );
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: parseRestoreArgs, run: runWish });
