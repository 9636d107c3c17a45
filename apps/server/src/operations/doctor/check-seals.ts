import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { originOf, parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { findSealKey, logName } from '../../transparency/seal/seal-key.ts';
import { logsIn, readCheckpoint } from '../../transparency/seal/seal-log.ts';
import { NOTHING, readProgress, type Progress } from '../../transparency/seal/seal-progress.ts';
import { readState } from '../../transparency/seal/seal-state.ts';
import { readCosigned } from '../../transparency/witness/co-sign.ts';
import { fault, type Finding, localText, ok, reasonOf, warning } from './findings.ts';
import { isLocked } from '../../platform/db/connection/unavailable.ts';
import { differenceOf } from '../../transparency/seal/open-newest-log.ts';
import { hasWritten } from '../../transparency/read/written-records.ts';
import { SEALS } from '../../transparency/seal/run/run-sealing.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const MINUTE_MS = 60_000;
/** Same as the server's notice. */
const SILENT_MS = 10 * MINUTE_MS;

export interface SealSurroundings {
  /** Undefined if unreachable or unsealed. */
  readonly sealed: Progress | undefined;
  readonly db: Database;
  readonly isRunning: boolean;
  readonly now: Date;
}

export async function checkSeals(config: Config, surroundings: SealSurroundings): Promise<Finding[]> {
  const { sealDir: dir } = config;
  const { sealed, db, isRunning } = surroundings;
  const nth = (await logsIn(dir)).at(-1);
  const watched = { db, dir, nth, isRunning, pause: () => pauseOn(db) };
  if (nth === undefined || (sealed && nth < sealed.origin)) {
    if (!sealed || sealed.size === 0n)
      return [(await findStoppedSealing(watched)) ?? ok('seals', `None yet: they will be written to ${dir}.`)];
    return [
      fault(
        'seals',
        `The database has ${sealed.size} sealed records of the log ${sealed.origin}, but ${dir} does not have that log.`,
        'Put the files back from your copy, or set SEAL_DIR to their folder. If they are lost for good: npm ' +
          'run seals -- begin --because REASON',
      ),
    ];
  }
  const folder = join(dir, String(nth));
  const state = await readState(folder);
  if (sealed?.origin === nth && BigInt(state?.size ?? 0) < sealed.size)
    return [
      fault(
        'seals',
        `${folder} has ${state?.size ?? 0} records, but the database has ${sealed.size} sealed ones: the ` +
          'folder was restored from an older copy.',
        'Put the newest files back. If they are lost for good: npm run seals -- begin --because REASON',
      ),
    ];
  const checkpoint = await readCheckpoint(folder);
  const key = await findSealKey(config).catch(() => undefined);
  const wanted = key && originOf(logName(key.signer.publicKey, config.sealName), nth);
  const origin = checkpoint && parseCheckpoint(parseNote(checkpoint).text).origin;
  if (wanted !== undefined && origin !== undefined && wanted !== origin)
    return [
      fault(
        'seals',
        `Those in ${dir} belong to the log ${origin}, but SEAL_KEY and SEAL_NAME give ${wanted}.`,
        'Set the original key and name.',
      ),
    ];
  const size = state?.size ?? 0;
  const stopped = await findStoppedSealing(watched);
  return [
    ...(stopped ? [stopped] : [ok('seals', `${size.toLocaleString('en-US')} records are sealed in ${folder}.`)]),
    ...(await checkWitnesses(config, { folder, size }, surroundings)),
  ];
}

async function checkWitnesses(
  { sealWitnesses }: Config,
  { folder, size }: { readonly folder: string; readonly size: number },
  { isRunning, now }: SealSurroundings,
): Promise<Finding[]> {
  const { SEALED_BY_ITSELF: alone, WITNESS_SILENT: silent } = NOTICES;
  if (sealWitnesses.length === 0) return [warning('seals', `${alone.title}.`, alone.text)];
  const cosigned = await readCosigned(folder, sealWitnesses);
  const sealedMs = (await stat(join(folder, 'checkpoint')).catch(() => undefined))?.mtimeMs ?? now.getTime();
  return sealWitnesses.flatMap(({ key }): Finding[] => {
    const last = cosigned.find(({ keyId }) => keyId === key.id);
    const seen =
      last && `co-signed ${last.size.toLocaleString('en-US')} records on ${localText(new Date(last.time * 1_000))}`;
    const isBehind = !last || (last.size < size && sealedMs - last.time * 1_000 > SILENT_MS);
    if (isBehind && (isRunning || !last))
      return [warning('seals', `The witness ${key.name} ${seen ?? 'has not co-signed anything yet'}.`, silent.text)];
    return [ok('seals', `The witness ${key.name} ${seen}.`)];
  });
}

/** Sealing takes up to two seconds; on a busy machine shorter observation proves nothing. */
const CHECKS = 20;
const CHECK_EVERY_SECONDS = 0.5;

async function pauseOn(db: Database): Promise<void> {
  await db.query(sql`select pg_sleep(${CHECK_EVERY_SECONDS})`);
}

const LEAST_BYTES = 1_000_000;

interface WatchedSealing {
  readonly db: Database;
  readonly dir: string;
  readonly nth: number | undefined;
  readonly isRunning: boolean;
  readonly pause: () => Promise<void>;
}

/**
 * Reports unsealed work without progress, after giving a running server time. Takes the start time from files, since
 * the database records only the last attempt.
 */
export async function findStoppedSealing(sealing: WatchedSealing): Promise<Finding | undefined> {
  const { dir, nth, isRunning } = sealing;
  const begin = 'If this is intended, start a new log: npm run seals -- begin --because REASON';
  const difference = await watchFindings(sealing, () => readDifference(sealing));
  if (difference !== undefined)
    return fault(
      'seals',
      `Nothing has been sealed since ${await sealedSince(dir, nth)}: ${difference}.`,
      `If the database or the seals were restored by mistake, undo that. ${begin}`,
    );
  const before = (await readProgress(sealing.db))?.snapshot ?? NOTHING;
  if (!(await watchFindings(sealing, () => isWaiting(sealing, before)))) return undefined;
  const since = await sealedSince(dir, nth);
  if (isRunning)
    return fault(
      'seals',
      nth === undefined
        ? 'Nothing has been sealed yet, though a server runs.'
        : `Nothing has been sealed since ${since}, though a server runs.`,
      await whatToDo(sealing),
    );
  return nth === undefined
    ? undefined
    : warning(
        'seals',
        `Rows written since ${since}, before the server stopped, are not sealed.`,
        'They will be sealed when the server runs again.',
      );
}

/** Watches for some seconds while a server runs, because findings may be transient. */
async function watchFindings<T>({ isRunning, pause }: WatchedSealing, read: () => Promise<T>): Promise<T> {
  let found = await read();
  for (let nth = 1; isRunning && found && nth < CHECKS; nth++) {
    await pause();
    found = await read();
  }
  return found;
}

async function readDifference({ db, dir, nth }: WatchedSealing): Promise<string | undefined> {
  if (nth === undefined) return undefined;
  const state = await readState(join(dir, String(nth)));
  return state && (await differenceOf(db, dir, { nth, state, progress: await readProgress(db) }));
}

/** A lock that blocks this query also blocks the sealer. */
async function isWaiting({ db }: WatchedSealing, before: string): Promise<boolean> {
  try {
    const now = (await readProgress(db))?.snapshot ?? NOTHING;
    return now === before && (await hasWritten(db, before));
  } catch (error) {
    if (isLocked(error)) return true;
    throw error;
  }
}

async function sealedSince(dir: string, nth: number | undefined): Promise<string> {
  const found = nth === undefined ? undefined : await stat(join(dir, String(nth), 'state.json')).catch(() => undefined);
  return found ? localText(found.mtime) : 'the start';
}

async function whatToDo({ db, dir, nth }: WatchedSealing): Promise<string> {
  const folder = nth === undefined ? dir : join(dir, String(nth));
  const why = [await whyNotWritten(folder), await whoHoldsTurn(db)].filter((one) => one !== undefined);
  if (why.length > 0) return why.join(' ');
  return (
    `See the server's log for the reason (nothing is sealed). Check the disk and permissions of ${dir}, ` +
    'and locks in the database held by other programs (pg_locks). A very large amount can take minutes.'
  );
}

async function whyNotWritten(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < LEAST_BYTES ? `The disk of ${folder} is full: free space there.` : undefined;
  } catch (error) {
    return `${folder} can’t be written to (${reasonOf(error)}): let the server's user write there.`;
  }
}

async function whoHoldsTurn(db: Database): Promise<string | undefined> {
  const [holder] = await db.query<{ pid: number; name: string }>(
    sql`select a.pid, a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and l.database = (select oid from pg_database where datname = current_database())
       and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(${SEALS}, 0) and a.application_name <> 'drawhouse lock'`,
  );
  return (
    holder &&
    `The connection ${holder.pid} (${holder.name || 'without a name'}) holds the sealing lock and is not ` +
      `a server. End it with select pg_terminate_backend(${holder.pid}).`
  );
}
