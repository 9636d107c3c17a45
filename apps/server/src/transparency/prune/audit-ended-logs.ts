import { join } from 'node:path';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { tileOfTree } from '@drawhouse/tlog/tiles';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { Findings, type Check } from '../../audit/audit-check.ts';
import { compareRows } from '../verify/compare-sealed-rows.ts';
import { explainMissingRows } from '../verify/explain-missing-rows.ts';
import { indexLog, type IndexedLog } from '../read/index-sealed-log.ts';
import { SealedTree } from '../read/read-sealed-log.ts';
import type { LogToRead } from '../read/read-bundle.ts';
import { judgeMissing, type ReadNewest } from '../verify/pruned-bundles.ts';
import { RecordIndex } from '../read/record-index.ts';
import { logBefore, type EndedLog } from '../seal/seal-heads.ts';
import { tileIfThere } from '../seal/seal-files.ts';

export interface NewestLog extends ReadNewest, Pick<IndexedLog, 'firstEntry'> {}

/**
 * Newest first. A sealed row must exist as sealed or in a later version, or its removal be on record. After a database
 * restore, reports how many sealed records are missing.
 */
export async function auditEndedLogs(on: Copier, newest: NewestLog): Promise<Check[]> {
  const checks: Check[] = [];
  const { seals } = newest;
  let { firstEntry } = newest;
  for (let nth = newest.nth - 1; nth >= 1; nth--) {
    const ended = logBefore(firstEntry);
    const name = `every record of the ended log ${originOf(seals.name, nth)} is as sealed`;
    const folder = join(seals.dir, String(nth));
    const unread = await unreadableReason(folder, ended);
    if (unread !== undefined || !ended) {
      checks.push({ name, rows: 0, problems: [], unproven: [unread!] });
      return [...checks, ...(nth > 1 ? [unreachable(nth - 1)] : [])];
    }
    const { origin, size } = ended;
    const audited = await auditLog(on, { log: { folder, origin, size: size! }, nth, ended, newest });
    checks.push({ name, rows: ended.size!, ...audited.found });
    ({ firstEntry } = audited);
  }
  return checks;
}

async function unreadableReason(folder: string, ended: EndedLog | undefined): Promise<string | undefined> {
  if (!ended) return 'the next log does not name it, so it is not compared with the database';
  const { origin, size } = ended;
  if (!size) return `the number of records of ${origin} is unknown, so none is compared with the database`;
  const isThere = await Promise.all(
    (['entries', 0] as const).map((level) => tileIfThere(folder, tileOfTree(size, level, 0)!)),
  );
  if (isThere.some(Boolean)) return undefined;
  return `the files of ${origin} are missing, so none of its ${size} records is compared with the database`;
}

function unreachable(nth: number): Check {
  const which = nth === 1 ? 'the first log of seals' : `the first ${nth} logs of seals`;
  return {
    name: 'every ended log of seals can be reached',
    rows: 0,
    problems: [],
    unproven: [`${which} can't be reached, because a later one is missing, and is not compared with the database`],
  };
}

interface EndedLogToAudit {
  readonly log: LogToRead;
  readonly nth: number;
  readonly newest: ReadNewest;
  readonly ended: EndedLog;
}

interface AuditedLog extends Pick<IndexedLog, 'firstEntry'> {
  readonly found: Pick<Check, 'problems' | 'unproven'>;
}

async function auditLog(on: Copier, { log, nth, ended, newest }: EndedLogToAudit): Promise<AuditedLog> {
  const { origin, size } = log;
  const { prunings } = newest;
  const { known: cosigned, snapshot, why } = ended;
  const found = new Findings();
  const tree = new SealedTree(log, (text) => found.add(text));
  const index = new RecordIndex(size);
  const indexed = await indexLog(tree, { index, prunings }, (text) => found.add(`the log ${origin}: ${text}`));
  const { firstEntry } = indexed;
  if (Buffer.from(await tree.rootAt(size)).toString('hex') !== ended.root) {
    found.add(`the log ${origin} does not have the tree of ${size} records that the next log names`);
    return {
      firstEntry,
      found: { problems: found.problems, unproven: ['its records are not compared with the database'] },
    };
  }
  let lost = 0;
  const problem = (text: string, place: number): void => {
    if (place >= cosigned) lost++;
    else found.add(`${text} ${place < 0 ? 'in' : 'of'} the log ${origin}`);
  };
  const { unrecorded, late } = await judgeMissing(indexed.missing, { nth, log }, newest);
  await compareRows(on, { ...indexed, index, late, snapshot, known: cosigned }, problem);
  const cleared = (await explainMissingRows(on, { ...indexed, index, log, known: cosigned }, problem)) + indexed.pruned;
  if (unrecorded !== undefined) found.add(unrecorded);
  const unproven = [
    ...(cleared > 0 ? [`${cleared} records were cleared; their hashes are kept`] : []),
    ...(lost > 0
      ? [
          `when the next log began ("${why}"), the database knew ${cosigned} of its ${size} records: ${lost} of ` +
            'the others are missing from it or changed',
        ]
      : []),
    ...(snapshot === undefined
      ? ['the age of changed rows is unknown: a later version of them may be from any time']
      : []),
  ];
  return { firstEntry, found: { problems: found.problems, unproven } };
}
