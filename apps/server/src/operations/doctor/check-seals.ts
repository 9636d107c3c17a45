import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { parseCheckpoint, originOf } from '@drawhouse/tlog/checkpoints';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { findSealKey, logName } from '../../transparency/seal/seal-key.ts';
import { logsIn, readCheckpoint } from '../../transparency/seal/seal-log.ts';
import type { SealedSoFar } from '../../transparency/seal/seal-progress.ts';
import { readState } from '../../transparency/seal/seal-state.ts';
import { readCosigned } from '../../transparency/witness/co-sign.ts';
import { findStoppedSealing, pauseOn } from './check-sealing.ts';
import { fault, ok, warning, localText, type Finding } from './findings.ts';

const MINUTE_MS = 60_000;
/** Same as the server's notice. */
const SILENT_MS = 10 * MINUTE_MS;

export interface SealSurroundings {
  /** Undefined if unreachable or unsealed. */
  readonly sealed: SealedSoFar | undefined;
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
