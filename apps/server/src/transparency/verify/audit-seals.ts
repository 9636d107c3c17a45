import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { isAhead } from '../read/written-records.ts';
import { Findings, type Check } from '../../audit/audit-check.ts';
import { compareRows, type RowProblem } from './compare-sealed-rows.ts';
import { explainMissingRows } from './explain-missing-rows.ts';
import { indexLog } from '../read/index-sealed-log.ts';
import { lossOf, PruningRecords } from './pruned-bundles.ts';
import type { LogToRead } from '../read/read-bundle.ts';
import { RecordIndex } from '../read/record-index.ts';
import { SealedTree } from '../read/read-sealed-log.ts';
import { readBeginning, type EarlierFindings } from '../seal/log-beginning.ts';
import { headOfLogs, hasFiles, hasTree, keyOf, type LogHead, type SealsToAudit } from '../seal/seal-heads.ts';
import { NOTHING, readAllProgress, readProgress, type Progress } from '../seal/seal-progress.ts';
import { readWitnessed } from '../witness/ask-witnesses.ts';
import { join } from 'node:path';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { logNameOf, parseCheckpoint, type Checkpoint } from '@drawhouse/tlog/checkpoints';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import { UnreadableFiles } from '../seal/seal-files.ts';
import { verifyCheckpoint } from '../seal/seal-state.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const COMPLETE = 'the seals are complete and signed by their key';
const AS_SEALED = 'every record is as sealed';
const STILL_THERE = 'every sealed record still exists';
const BEGUN = 'a later log of seals says why it was begun';

/**
 * Reads progress, then head, then snapshot: the head has all progress, and the snapshot everything sealed. Nothing may
 * be pruned meanwhile (`withoutPruning`). Takes half a gigabyte for 10 million records.
 */
export async function auditSeals(
  seals: SealsToAudit,
  snapshot: <T>(read: (on: Copier) => Promise<T>) => Promise<T>,
): Promise<Check[]> {
  const [whole, unreadable] = [new Findings(), new UnreadableFiles()];
  const progress = await snapshot((on) => readAllProgress(on));
  const head = await headOfLogs(seals, progress, (text) => whole.add(text), unreadable.ifUnreadable);
  const [complete, ...rest] = await snapshot(async (on): Promise<[Check, ...Check[]]> => {
    await on.query(TEXT_SETTINGS);
    if (!head) return [await withoutSeals(on, whole)];
    return auditLog(on, seals, { head, progress }, whole);
  });
  return [{ ...complete, problems: [...unreadable.problems, ...complete.problems] }, ...rest];
}

/** Fails if the database knows of sealed records. */
async function withoutSeals(on: Copier, whole: Findings): Promise<Check> {
  const rows = await on.query<{ origin: number; size: string }>(
    sql`select origin, size::text as size from seal_progress where size > 0 or origin > 1`,
  );
  for (const { origin, size } of rows)
    whole.add(`the database has ${size} sealed records of the log ${origin}, but its files are missing`);
  return {
    name: COMPLETE,
    rows: 0,
    problems: whole.problems,
    unproven: ['nothing is sealed: anyone who can write to the database can rewrite all of the above'],
  };
}

interface HeadToAudit {
  readonly head: LogHead;
  readonly progress: readonly Progress[];
}

async function auditLog(
  on: Copier,
  seals: SealsToAudit,
  { head, progress }: HeadToAudit,
  whole: Findings,
): Promise<[Check, ...Check[]]> {
  const [asSealed, stillThere] = [new Findings(), new Findings()];
  const { log, nth } = head;
  const tree = new SealedTree(log, (text, isLost) => (isLost ? whole : asSealed).add(text));
  const prunings = new PruningRecords();
  const index = new RecordIndex(log.size);
  const its = progressOf({ head, progress });
  const own = its?.origin === nth ? Number(its.size) : -1;
  const indexed = await indexLog(tree, { index, prunings, progress: own }, (text) => asSealed.add(text));
  const isRead = indexed.readTo === log.size;
  for (const { size, root, what } of head.roots)
    if (size > log.size || !Buffer.from(tree.rootAt(size)).equals(root))
      (isRead ? asSealed : whole).add(`the log ${log.origin}: ${what} of ${size} records does not match its records`);
  const isOfOther = await isAhead(on, head.snapshot);
  if (isOfOther)
    whole.add(
      `the log ${log.origin} is ahead of the database, which was restored to an older state or is a different one`,
    );
  for (const problem of await progressProblems(on, { head, progress }, tree)) whole.add(problem);
  const [laterAsSealed, laterStillThere] = [new Findings(), new Findings()];
  const findingsOf =
    (found: Findings, later: Findings): RowProblem =>
    (text, place) =>
      (place < 0 && !isRead ? whole : place < own ? found : later).add(text);
  const unrecorded = prunings.unrecorded(indexed.missing, nth);
  if (unrecorded.length > 0) whole.add(lossOf(unrecorded, log.origin));
  const lost = new Map(unrecorded.flatMap(({ first, width }) => index.placesByHash(first, width)));
  // Anyone who can write to the database can change its progress, so its own snapshot never replaces the signed one.
  const snapshot = isOfOther ? await snapshotOfOther(on, own >= 0 ? its : undefined) : head.snapshot;
  const compared = await compareRows(on, { ...indexed, index, snapshot, lost }, findingsOf(asSealed, laterAsSealed));
  const cleared = await explainMissingRows(on, { ...indexed, index, log }, findingsOf(stillThere, laterStillThere));
  // A restored database has none of these records, so one that has any was only given a smaller progress.
  const wasRestored = own < 0 || compared.lastProven < indexed.lostFrom;
  (wasRestored ? whole : asSealed).addAll(laterAsSealed.problems);
  (wasRestored ? whole : stillThere).addAll(laterStillThere.problems);
  const removed = cleared + indexed.pruned;
  return [
    { name: COMPLETE, rows: log.size, problems: whole.problems },
    beginningOf(head, tree),
    {
      name: AS_SEALED,
      rows: compared.rows,
      problems: asSealed.problems,
      unproven: compared.waiting > 0 ? [`${compared.waiting} records are waiting to be sealed`] : [],
    },
    {
      name: STILL_THERE,
      rows: log.size,
      problems: stillThere.problems,
      unproven: removed > 0 ? [`${removed} records were cleared; their hashes are kept`] : [],
    },
    await checkBackupCheckpoints(on, seals, log),
    await gradeOf(on, head, tree, seals.witnesses),
  ];
}

async function snapshotOfOther(on: Copier, its: Progress | undefined): Promise<string> {
  return its && !(await isAhead(on, its.snapshot)) ? its.snapshot : NOTHING;
}

/** Later logs seal changed rows as they are then, so what the audit found before stays wrong. */
function beginningOf({ nth, log }: LogHead, tree: SealedTree): Check {
  if (nth === 1) return { name: BEGUN, rows: 0, problems: [] };
  const beginning = readBeginning(tree, log.size);
  if (!beginning)
    return {
      name: BEGUN,
      rows: 1,
      problems: [`the log ${log.origin} does not start with a record of the previous log`],
    };
  const { before, because, found, lost } = beginning;
  const said = found.length + lost.length === 0 ? ', and the audit of it found nothing' : '';
  return {
    name: BEGUN,
    rows: 1,
    problems: found,
    unproven: [`${log.origin} was begun after ${before}: "${because}"${said}`, ...lost],
  };
}

/** Findings that the next log records, including those that this log recorded. */
export function findingsToRecord(checks: readonly Check[]): EarlierFindings {
  const ofRows = new Set([BEGUN, AS_SEALED, STILL_THERE]);
  return {
    found: checks.filter(({ name }) => ofRows.has(name)).flatMap(({ problems }) => problems),
    lost: checks.flatMap(({ name, problems, unproven = [] }) => [
      ...(ofRows.has(name) ? [] : problems),
      ...(name === BEGUN ? unproven : []),
    ]),
  };
}

/** The newest in the database, unless a log that was just begun has no record yet. */
function progressOf({ head: { nth }, progress }: HeadToAudit): Progress | undefined {
  const newer = progress.find(({ origin, size }) => origin > nth && size > 0n);
  return newer ?? progress.find(({ origin }) => origin <= nth);
}

async function progressProblems(on: Copier, audited: HeadToAudit, tree: SealedTree): Promise<string[]> {
  const { nth, log, missingCheckpoint } = audited.head;
  const progress = progressOf(audited);
  // A new server may have begun in between.
  if (!progress) return (await readProgress(on)) ? [] : [`the database does not know the log ${log.origin}`];
  const size = Number(progress.size);
  if (missingCheckpoint !== undefined && size > 0) return [missingCheckpoint];
  const claim = `the database has ${size} sealed records of the log ${progress.origin}`;
  if (progress.origin !== nth) return [`${claim}, but the newest log in the files is ${nth}`];
  if (size > log.size) return [`${claim}, but its files have ${log.size}`];
  // Sealing may have gone on since `progress`, but the database is never more than one step behind the files.
  const own = (await readAllProgress(on)).find(({ origin }) => origin === nth);
  if (own && Number(own.size) < audited.head.previousSize)
    return [
      `the database has ${own.size} sealed records of the log ${nth}, but had ${audited.head.previousSize} before`,
    ];
  return progress.root === Buffer.from(tree.rootAt(size)).toString('hex')
    ? []
    : [`${claim}, but its files have different ones`];
}

async function gradeOf(on: Copier, { log, nth }: LogHead, tree: SealedTree, keys: readonly NoteKey[]): Promise<Check> {
  const found = new Findings();
  const witnessed = await readWitnessed(log, tree, keys, (text) => found.add(text));
  const { problems } = found;
  if (witnessed.length === 0) {
    const [begun] = await on.query<{ at: string }>(
      sql`select began_at::text as at from seal_progress where origin = ${nth}`,
    );
    return {
      name: begun ? `not witnessed since ${begun.at}` : 'not witnessed',
      rows: 0,
      problems,
      unproven: ['no witness vouches for the seals: anyone with their key and files can rewrite them'],
    };
  }
  const since = Math.min(...witnessed.map((one) => one.since));
  const [words] = await on.query<{ at: string }>(sql`select to_timestamp(${since}::float8)::text as at`);
  const newest = Math.max(...witnessed.map(({ size }) => size));
  return {
    name: `witnessed by ${witnessed.length} since ${words!.at}`,
    rows: witnessed.length,
    problems,
    unproven: newest < log.size ? [`${log.size - newest} later records are waiting for a witness`] : [],
  };
}

interface LoggedBackup {
  readonly subject: string;
  readonly checkpoint: string;
}

/**
 * Restored backups lie elsewhere, so they expose a rewritten history: the seal key must have signed each checkpoint,
 * and its tree must still exist. A foreign backup names the log of its origin.
 */
async function checkBackupCheckpoints(on: Copier, seals: SealsToAudit, log: LogToRead): Promise<Check> {
  const backups = await on.query<LoggedBackup>(
    sql`select subject, detail ->> 'checkpoint' as checkpoint from activity
     where network_id = ${sql.lit(ROOT_NETWORK)} and jsonb_typeof(detail -> 'checkpoint') = 'string'
       and (detail ? 'restoredFrom' or detail ? 'moved') order by seq`,
  );
  const problems: string[] = [];
  let elsewhere = 0;
  for (const { subject, checkpoint: note } of backups) {
    const signed = await signedHere(seals, note);
    if (!signed || !(await hasFiles(signed.folder, log.ifUnreadable))) elsewhere++;
    else if (!(await hasTree(signed.folder, signed, log.ifUnreadable)))
      problems.push(
        `"${subject}": the log ${signed.origin} had ${signed.size} records when that backup was taken, ` +
          "but has different ones now, or can't be read",
      );
  }
  return {
    name: 'the seals continue from their state in restored backups',
    rows: backups.length,
    problems,
    unproven: elsewhere > 0 ? [`${elsewhere} backups name a log that does not exist here`] : [],
  };
}

/** True if the log still has the tree of its checkpoint. Null if this key signed no such log. */
export async function continuesFrom(seals: SealsToAudit, note: string): Promise<boolean | null> {
  const signed = await signedHere(seals, note);
  return signed ? hasTree(signed.folder, signed, new UnreadableFiles().ifUnreadable) : null;
}

async function signedHere(
  seals: SealsToAudit,
  note: string,
): Promise<(Checkpoint & { readonly folder: string }) | undefined> {
  try {
    const log = logNameOf(parseCheckpoint(parseNote(note).text).origin);
    if (log?.name === seals.name)
      return { ...(await verifyCheckpoint(note, keyOf(seals, log.nth))), folder: join(seals.dir, String(log.nth)) };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
  return undefined;
}
