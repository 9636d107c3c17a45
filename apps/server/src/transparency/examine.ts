import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { originOf, parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import type { SealSettings } from '../config/outside-services.ts';
import { isLockHeld } from '../platform/db/connection/hold-lock.ts';
import { isLocked } from '../platform/db/connection/unavailable.ts';
import type { Database, Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { hasWritten } from './read/written-records.ts';
import { differenceOf, findNewestLog } from './seal/open-newest-log.ts';
import { SEALS } from './seal/run/run-sealing.ts';
import { SILENT_AFTER_MS } from './seal/run/watch-checkpoints.ts';
import { findSealKey, logName, verifierKey, type SealKeySettings } from './seal/seal-key.ts';
import { logsIn, readCheckpoint } from './seal/seal-log.ts';
import { NOTHING, readProgress } from './seal/seal-progress.ts';
import { readState } from './seal/seal-state.ts';
import { readCosigned } from './witness/co-sign.ts';

type Settings = SealSettings & SealKeySettings;

export interface ExaminedSeals {
  /** Folder of the newest log; undefined if missing. */
  readonly folder: string | undefined;
  readonly size: number;
  /** Its name, if key and name in the settings give another. */
  readonly foreign: { readonly origin: string; readonly wanted: string } | undefined;
  readonly stopped: StoppedSealing | undefined;
  readonly witnesses: readonly ExaminedWitness[];
}

export interface StoppedSealing {
  /** From files, because the database records only the last attempt. Undefined if nothing was sealed. */
  readonly since: Date | undefined;
  /** Why an operator must decide. */
  readonly difference?: string | undefined;
  readonly unwritable?: Error;
  readonly isFull?: boolean;
  /** Connection with the lock of the sealer. */
  readonly holder?: { readonly pid: number; readonly name: string } | undefined;
}

interface ExaminedWitness {
  readonly name: string;
  readonly last: { readonly size: number; readonly at: Date } | undefined;
  readonly isBehind: boolean;
}

interface SealSurroundings {
  readonly db: Database;
  readonly isRunning: boolean;
  readonly now: Date;
  readonly pause?: () => Promise<void>;
}

export async function examine(config: Settings, around: SealSurroundings): Promise<ExaminedSeals> {
  const { sealDir: dir } = config;
  const { nth, isThere } = await findNewestLog(around.db, dir);
  const folder = join(dir, String(nth));
  const size = (await readState(folder))?.size ?? 0;
  return {
    folder: isThere ? folder : undefined,
    size,
    foreign: await foreignLog(config, nth, folder),
    stopped: await findStopped(dir, around),
    witnesses: isThere ? await examineWitnesses(config, { folder, size }, around.now) : [],
  };
}

async function foreignLog(config: Settings, nth: number, folder: string): Promise<ExaminedSeals['foreign']> {
  const checkpoint = await readCheckpoint(folder);
  const key = await findSealKey(config).catch(() => undefined);
  if (checkpoint === undefined || !key) return undefined;
  const wanted = originOf(logName(key.signer.publicKey, config.sealName), nth);
  const { origin } = parseCheckpoint(parseNote(checkpoint).text);
  return origin === wanted ? undefined : { origin, wanted };
}

async function examineWitnesses(
  { sealWitnesses }: Settings,
  { folder, size }: { readonly folder: string; readonly size: number },
  now: Date,
): Promise<ExaminedWitness[]> {
  const cosigned = await readCosigned(folder, sealWitnesses);
  const sealedMs = ((await changedAt(folder, 'checkpoint')) ?? now).getTime();
  return sealWitnesses.map(({ key: { id, name } }) => {
    const last = cosigned.find(({ keyId }) => keyId === id);
    if (!last) return { name, last, isBehind: true };
    const at = new Date(last.time * 1_000);
    const isBehind = last.size < size && sealedMs - at.getTime() > SILENT_AFTER_MS;
    return { name, last: { size: last.size, at }, isBehind };
  });
}

async function changedAt(folder: string, file: string): Promise<Date | undefined> {
  return stat(join(folder, file)).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
}

/** Sealing takes up to two seconds; on a busy machine shorter observation proves nothing. */
const CHECKS = 20;
const CHECK_EVERY_SECONDS = 0.5;

async function findStopped(dir: string, around: SealSurroundings): Promise<StoppedSealing | undefined> {
  const { db } = around;
  const difference = await watchFindings(around, () => readDifference(db, dir));
  const before = (await readProgress(db))?.snapshot ?? NOTHING;
  if (difference === undefined && !(await watchFindings(around, () => isWaiting(db, before)))) return undefined;
  const { nth, isThere } = await findNewestLog(db, dir);
  const folder = join(dir, String(nth));
  const since = await changedAt(folder, 'state.json');
  if (difference !== undefined || !around.isRunning) return { since, difference };
  return { since, ...(await examineFolder(isThere ? folder : dir)), holder: await readHolder(db) };
}

/** Watches for some seconds while a server runs, because findings may be transient. */
async function watchFindings<T>({ db, isRunning, pause }: SealSurroundings, read: () => Promise<T>): Promise<T> {
  let found = await read();
  for (let nth = 1; isRunning && found && nth < CHECKS; nth++) {
    await (pause ? pause() : db.query(sql`select pg_sleep(${CHECK_EVERY_SECONDS})`));
    found = await read();
  }
  return found;
}

async function readDifference(db: Database, dir: string): Promise<string | undefined> {
  const newest = await findNewestLog(db, dir);
  return differenceOf(db, dir, newest, await readState(join(dir, String(newest.nth))));
}

/** A lock that blocks this query also blocks the sealer. */
async function isWaiting(db: Queryable, before: string): Promise<boolean> {
  try {
    const now = (await readProgress(db))?.snapshot ?? NOTHING;
    return now === before && (await hasWritten(db, before));
  } catch (error) {
    if (isLocked(error)) return true;
    throw error;
  }
}

const LEAST_BYTES = 1_000_000;

async function examineFolder(folder: string): Promise<Pick<StoppedSealing, 'unwritable' | 'isFull'>> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    return { isFull: bavail * bsize < LEAST_BYTES };
  } catch (error) {
    return { unwritable: error as Error };
  }
}

async function readHolder(db: Queryable): Promise<StoppedSealing['holder']> {
  const [holder] = await db.query<{ pid: number; name: string }>(
    sql`select a.pid, a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and l.database = (select oid from pg_database where datname = current_database())
       and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(${SEALS}, 0) and a.application_name <> 'drawhouse lock'`,
  );
  return holder;
}

export async function hasSealer(db: Queryable): Promise<boolean> {
  return isLockHeld(db, SEALS);
}

/** As a server with these settings serves it. */
export async function findServedKey(config: Settings): Promise<string | undefined> {
  const key = await findSealKey(config).catch(() => undefined);
  if (!key) return undefined;
  for (const nth of (await logsIn(config.sealDir).catch(() => [])).toReversed()) {
    const state = await readState(join(config.sealDir, String(nth))).catch(() => undefined);
    // A new log is not served yet.
    if (!state || state.size === 0) continue;
    const { publicKey } = key.signer;
    return formatNoteKey(verifierKey(originOf(logName(publicKey, config.sealName), nth), publicKey));
  }
  return undefined;
}
