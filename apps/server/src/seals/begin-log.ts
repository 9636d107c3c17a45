import type { Ed25519Signer } from '@drawhouse/tlog/note-signatures';
import type { Copier } from '../db/copy-snapshot.ts';
import { logsIn, readCheckpoint, SealLog } from './seal-log.ts';
import type { LogPlace } from './seal-log.ts';
import { originOf } from './seal-key.ts';
import type { SealedUpTo } from './seal-state.ts';

/** Where the seals of an installation lie, and who signs them. */
export interface SealsPlace {
  readonly dir: string;
  readonly name: string;
  readonly signer: Ed25519Signer;
}

/** Sealing stops until somebody has decided: the files know less than the database. */
class SealsBehind extends Error {
  override readonly name = 'SealsBehind';
}

/** How far the database says that a log has come. */
interface Progress {
  readonly origin: number;
  readonly size: bigint;
  readonly root: string;
  readonly snapshot: string;
}

const PROGRESS = `select origin, size, encode(root, 'hex') as root, snapshot::text as snapshot from seal_progress order by origin desc limit 1`;

/**
 * The log that records go into: the one that there is, or the first one, or a new one where the database was put back to an older state, or is
 * another cluster, whose transactions are counted anew. A new log names the last checkpoint of the one before it. Throws {@link SealsBehind} where the files were put
 * back, or are not there: what was published of them can't be undone, so a person has to say it (`anew`).
 */
export async function openNewestLog(on: Copier, place: SealsPlace, anew?: string): Promise<SealLog> {
  const [progress] = await on.query<Progress>(PROGRESS);
  const nths = await logsIn(place.dir);
  const last = nths.at(-1);
  if (anew !== undefined) return beginAnew(place, Math.max(last ?? 0, progress?.origin ?? 0), anew);
  if (last === undefined) {
    if (progress) throw behind(place.dir, progress, 'has none');
    return SealLog.open({ ...place, nth: 1 });
  }
  if (progress && progress.origin > last) throw behind(place.dir, progress, `has only the log ${last}`);
  const log = await SealLog.open({ ...place, nth: last });
  // A log that was begun and never sealed is begun once more.
  if (log.state.size === 0) return last === 1 ? log : beginAnew(place, last - 1, 'The log was begun and not sealed.');
  const known = progress?.origin === last ? progress : undefined;
  if (known && Number(known.size) > log.state.size) throw behind(place.dir, known, `has only ${log.state.size}`);
  const isSame = [log.state, log.state.previous].some((state) => state && known && isAt(state, known));
  if (!isSame) return beginAnew(place, last, 'The database was put back to an older state, or is another one.');
  if (await isAhead(on, log.state.snapshot))
    return beginAnew(place, last, 'The database is another cluster, whose transactions are counted anew.');
  return log;
}

/** The record that a log begins with which is not the first: after which one it comes, how far that had come, why, and its last checkpoint. */
async function beginAnew(place: SealsPlace, after: number, why: string): Promise<SealLog> {
  const before: LogPlace = { ...place, nth: after };
  const folder = `${place.dir}/${after}`;
  const old = await SealLog.open(before).catch(() => undefined);
  const checkpoint = (await readCheckpoint(folder)) ?? '';
  const fields = [
    after + 1,
    originOf(place.name, after),
    old?.state.size ?? '\\N',
    old?.state.root ?? '\\N',
    why,
    escaped(checkpoint),
  ];
  const log = await SealLog.open({ ...place, nth: after + 1 });
  await log.add([Buffer.from(`origins 1\n${fields.join('\t')}\n`)]);
  return log;
}

/** A text as PostgreSQL's COPY writes it. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function isAt(state: SealedUpTo, { size, root }: Progress): boolean {
  return state.size === Number(size) && state.root === root;
}

/** Whether transactions of a snapshot are yet to come in this database. */
async function isAhead(on: Copier, snapshot: string): Promise<boolean> {
  const [row] = await on.query<{ is_ahead: boolean }>(
    'select pg_snapshot_xmax($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead',
    [snapshot],
  );
  return row!.is_ahead;
}

function behind(dir: string, { origin, size }: Progress, has: string): SealsBehind {
  return new SealsBehind(
    `Nothing is sealed: the database knows of ${size} records in the log ${origin}, and ${dir} ${has}. Put its files back, or begin a new log: npm run seals -- begin`,
  );
}
