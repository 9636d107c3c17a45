import { join } from 'node:path';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { isAhead } from '../read/written-records.ts';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { logsIn, newestBegunLog, readCheckpoint, SealLog } from './seal-log.ts';
import { beginningRecords, type Beginning } from './log-beginning.ts';
import { ifUnreadable } from './seal-files.ts';
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
  const progress = await readProgress(on);
  const last = (await logsIn(place.dir)).at(-1);
  const log = await (anew === undefined
    ? openSame(on, place, { progress, last })
    : startFollowUpLog(place, progress, anew));
  // Keeps the database at most one step behind.
  await keepProgress(on, log);
  return log;
}

async function openSame(
  on: Copier,
  place: SealsPlace,
  { progress, last }: { readonly progress: Progress | undefined; readonly last: number | undefined },
): Promise<SealLog> {
  const { dir } = place;
  if (last === undefined || (progress && progress.origin > last)) {
    if (progress && progress.size > 0n)
      throw new SealsDiffer(
        `the database has ${progress.size} sealed records of the log ${progress.origin}, but ${dir} does not have that log`,
      );
    return SealLog.open({ ...place, nth: progress?.origin ?? 1 });
  }
  const isBegun = (await readState(join(dir, String(last)))) !== undefined;
  if (!isBegun && last > 1) throw new SealsDiffer(`the log ${last} was started, but nothing was sealed in it`);
  if (!isBegun && progress && progress.size > 0n)
    throw new SealsDiffer(
      `the database has ${progress.size} sealed records of the log ${last}, but ${dir} does not say how many it has`,
    );
  const log = await SealLog.open({ ...place, nth: last });
  if (!isBegun) return log;
  const difference = await differenceOf(on, place.dir, { nth: last, state: log.state, progress });
  if (difference !== undefined) throw new SealsDiffer(difference);
  return log;
}

export async function differenceOf(
  on: Pick<Copier, 'query'>,
  dir: string,
  {
    nth,
    state,
    progress,
  }: { readonly nth: number; readonly state: SealState; readonly progress: Progress | undefined },
): Promise<string | undefined> {
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

async function startFollowUpLog(
  place: SealsPlace,
  progress: Progress | undefined,
  beginning: Beginning,
): Promise<SealLog> {
  const begun = (await newestBegunLog(place.dir, progress ? [progress] : [])) ?? 0;
  const after = Math.max(begun, progress && progress.size > 0n ? progress.origin : 0);
  const checkpoint = (await readCheckpoint(join(place.dir, String(after))).catch(ifUnreadable(undefined))) ?? '';
  const nth = Math.max(after, (await logsIn(place.dir)).at(-1) ?? 0) + 1;
  const log = await SealLog.open({ ...place, nth });
  await log.add(beginningRecords({ ...beginning, nth, before: originOf(place.name, after), checkpoint }));
  return log;
}

function isAt(state: SealedUpTo, { size, root }: Progress): boolean {
  return state.size === Number(size) && state.root === root;
}
