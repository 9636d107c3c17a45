import { join } from 'node:path';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { isAhead } from '../read/written-records.ts';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { logsIn, newestBegunLog, readCheckpoint, SealLog } from './seal-log.ts';
import { beginningRecords, type Beginning } from './log-beginning.ts';
import { readState, type SealedUpTo, type SealState } from './seal-state.ts';
import { keepProgress, readProgress, type Progress } from './seal-progress.ts';

export interface SealsPlace {
  readonly dir: string;
  readonly name: string;
  readonly signer: Ed25519Signer;
}

/** Files and database have different histories; an operator must decide. */
class SealsDiffer extends Error {
  override readonly name = 'SealsDiffer';

  constructor(what: string) {
    super(
      `Sealing is stopped: ${what}. If the database or the seals were restored by mistake, undo that. If ` +
        'it is intended, start a new log: npm run seals -- begin',
    );
  }
}

/**
 * Starts the first log if there is none. If database and files differ by more than a killed sealer's last step, only an
 * operator may start a new one (`anew`): otherwise database access would suffice to seal a forged
 * history.
 */
export async function openNewestLog(on: Copier, place: SealsPlace, anew?: Beginning): Promise<SealLog> {
  const log = await (anew === undefined ? openSame(on, place) : startFollowUpLog(on, place, anew));
  // Keeps the database at most one step behind.
  await keepProgress(on, log);
  return log;
}

async function openSame(on: Copier, place: SealsPlace): Promise<SealLog> {
  const { dir } = place;
  const newest = await findNewestLog(on, dir);
  const { nth } = newest;
  const log = (await readState(join(dir, String(nth)))) && (await SealLog.open({ ...place, nth }));
  const difference = await differenceOf(on, dir, newest, log?.state);
  if (difference !== undefined) throw new SealsDiffer(difference);
  return log ?? SealLog.open({ ...place, nth });
}

interface NewestLog {
  readonly nth: number;
  readonly isThere: boolean;
  readonly progress: Progress | undefined;
}

export async function findNewestLog(on: Pick<Copier, 'query'>, dir: string): Promise<NewestLog> {
  const progress = await readProgress(on);
  const last = (await logsIn(dir)).at(-1);
  const nth = Math.max(last ?? 1, progress?.origin ?? 1);
  return { nth, isThere: nth === last, progress };
}

/** Why sealing must not continue. */
export async function differenceOf(
  on: Pick<Copier, 'query'>,
  dir: string,
  { nth, isThere, progress }: NewestLog,
  state: SealState | undefined,
): Promise<string | undefined> {
  if (!state) {
    if (isThere && nth > 1) return `the log ${nth} was started, but nothing was sealed in it`;
    if (!progress || progress.size === 0n) return undefined;
    const lacks = isThere ? 'does not say how many it has' : 'does not have that log';
    return `the database has ${progress.size} sealed records of the log ${nth}, but ${dir} ${lacks}`;
  }
  const isSame = progress?.origin === nth && [state, state.previous].some((one) => one && isAt(one, progress));
  if (!isSame)
    return (
      `${dir} has ${state.size} records in the log ${nth}, but the database has ` +
      (progress ? `${progress.size} in the log ${progress.origin}` : 'none')
    );
  return state.snapshot !== '' && (await isAhead(on, state.snapshot))
    ? 'the database restarted its transaction numbers, as another cluster would'
    : undefined;
}

async function startFollowUpLog(on: Copier, place: SealsPlace, beginning: Beginning): Promise<SealLog> {
  const progress = await readProgress(on);
  const begun = (await newestBegunLog(place.dir, progress ? [progress] : [])) ?? 0;
  const after = Math.max(begun, progress && progress.size > 0n ? progress.origin : 0);
  const checkpoint = (await readCheckpoint(join(place.dir, String(after))).catch(() => undefined)) ?? '';
  const nth = Math.max(after, (await logsIn(place.dir)).at(-1) ?? 0) + 1;
  const log = await SealLog.open({ ...place, nth });
  await log.add(beginningRecords({ ...beginning, nth, before: originOf(place.name, after), checkpoint }));
  return log;
}

function isAt(state: SealedUpTo, { size, root }: Progress): boolean {
  return state.size === Number(size) && state.root === root;
}
