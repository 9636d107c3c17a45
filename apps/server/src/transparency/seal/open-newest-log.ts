import { join } from 'node:path';
import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { isAhead } from '../read/written-records.ts';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { verifierKey } from './seal-key.ts';
import { logsIn, readCheckpoint, SealLog } from './seal-log.ts';
import { checkpointOf, readState, requireSigned, type SealedUpTo, type SealState } from './seal-state.ts';
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
 * operator may start a new one (`anew` is the reason): otherwise database access would suffice to seal a forged
 * history.
 */
export async function openNewestLog(on: Copier, place: SealsPlace, anew?: string): Promise<SealLog> {
  const progress = await readProgress(on);
  const last = (await logsIn(place.dir)).at(-1);
  const log = await (anew === undefined
    ? openSame(on, place, { progress, last })
    : startFollowUpLog(on, place, progress, anew));
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

const BEGIN_OF_NEXT = 'origins 1\n';

/**
 * The first record names the previous log, its size, the reason, its last checkpoint, how much the database had, and
 * its snapshot.
 */
async function startFollowUpLog(
  on: Copier,
  place: SealsPlace,
  progress: Progress | undefined,
  why: string,
): Promise<SealLog> {
  const nths = await logsIn(place.dir);
  const newest = nths.at(-1);
  const isEmpty = newest !== undefined && newest > 1 && (await isUnsealed(join(place.dir, String(newest))));
  const after = Math.max(isEmpty ? newest - 1 : (newest ?? 0), progress && progress.size > 0n ? progress.origin : 0);
  const { old, checkpoint } = await readEnded(place, after);
  const [size, root] = [old?.size ?? progress?.size ?? '\\N', old?.root ?? progress?.root ?? '\\N'];
  const ofOld = await readProgress(on, after);
  const previous = old && ofOld ? progressOfEnded(old, ofOld) : { size: 0, snapshot: '' };
  const isOfHere = previous.snapshot !== '' && !(await isAhead(on, previous.snapshot));
  const fields = [
    after + 1,
    originOf(place.name, after),
    size,
    root,
    escaped(why),
    escaped(checkpoint),
    previous.size,
    isOfHere ? previous.snapshot : '\\N',
  ];
  const log = await SealLog.open({ ...place, nth: after + 1 });
  await log.add([Buffer.from(`${BEGIN_OF_NEXT}${fields.join('\t')}\n`)]);
  return log;
}

/** A log that lost just its state still has a checkpoint. */
async function isUnsealed(folder: string): Promise<boolean> {
  const state = await readState(folder).catch(() => undefined);
  return state === undefined && (await readCheckpoint(folder)) === undefined;
}

interface EndedFiles {
  readonly old: SealState | undefined;
  readonly checkpoint: string;
}

/** Uses the checkpoint if the state is unsigned. */
async function readEnded({ dir, name, signer }: SealsPlace, nth: number): Promise<EndedFiles> {
  const folder = join(dir, String(nth));
  const key = verifierKey(originOf(name, nth), signer.publicKey);
  const checkpoint = await readCheckpoint(folder);
  const state = await readState(folder).catch(() => undefined);
  const isSigned =
    state !== undefined &&
    (await requireSigned(folder, state, key).then(
      () => true,
      () => false,
    ));
  const signed = await checkpointOf(checkpoint, key);
  // An older state was put back.
  if (isSigned && !(signed && signed.size > state.size)) return { old: state, checkpoint: checkpoint ?? '' };
  const old = signed && {
    size: signed.size,
    root: Buffer.from(signed.root).toString('hex'),
    snapshot: '',
    previous: null,
  };
  return { old, checkpoint: checkpoint ?? '' };
}

/** The whole log, or its progress in a restored database. A killed sealer's last step counts as all. */
function progressOfEnded(old: SealState, progress: Progress): Pick<SealedUpTo, 'size' | 'snapshot'> {
  const isComplete = [old, old.previous].some((one) => one && isAt(one, progress));
  return isComplete || progress.size >= old.size ? old : { size: Number(progress.size), snapshot: progress.snapshot };
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

function isAt(state: SealedUpTo, { size, root }: Progress): boolean {
  return state.size === Number(size) && state.root === root;
}
