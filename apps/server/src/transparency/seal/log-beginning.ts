import { recordIn, unescapeField } from '@drawhouse/tlog/node/record-entries';
import type { SealedTree } from '../read/read-sealed-log.ts';

/** Findings of the audits of earlier logs. */
export interface EarlierFindings {
  /** Changed rows: wrong in every later audit. */
  readonly found: readonly string[];
  /** What lost files or a restored database explain: repeated, but not wrong. */
  readonly lost: readonly string[];
}

/** Reason of the operator, and what the audit of the previous log found. */
export interface Beginning extends EarlierFindings {
  readonly because: string;
}

interface FollowUpLog extends Beginning {
  readonly nth: number;
  readonly before: string;
  readonly checkpoint: string;
}

const BEGIN_OF_NEXT = 'origins 1';
const KINDS = { found: 'found 1', lost: 'lost 1' } as const;
export const BEGINNING_LINES: readonly string[] = [BEGIN_OF_NEXT, ...Object.values(KINDS)];
/** Together below the limit of an entry, even if each character takes four bytes and is escaped. */
const MOST_CHARACTERS = 8_000;

/** First the previous log, its last checkpoint, the reason and the number of further records, then the findings. */
export function beginningRecords({ nth, before, because, checkpoint, ...findings }: FollowUpLog): Uint8Array[] {
  const records = [...findingRecords(KINDS.found, findings.found), ...findingRecords(KINDS.lost, findings.lost)];
  return [recordOf(BEGIN_OF_NEXT, [`${nth}`, before, because, checkpoint, `${records.length}`]), ...records];
}

function findingRecords(kind: string, texts: readonly string[]): Uint8Array[] {
  const groups: string[][] = [];
  let room = 0;
  for (const text of texts.map((one) => one.slice(0, MOST_CHARACTERS))) {
    room -= text.length + 1;
    if (room >= 0) groups.at(-1)!.push(text);
    else {
      groups.push([text]);
      room = MOST_CHARACTERS - text.length;
    }
  }
  return groups.map((group) => recordOf(kind, group));
}

function recordOf(kind: string, fields: readonly string[]): Uint8Array {
  return Buffer.from(`${kind}\n${fields.map(escaped).join('\t')}\n`);
}

type ReadBeginning = Beginning & { readonly before: string };

/** Undefined unless the log begins after another. */
export function readBeginning(log: Pick<SealedTree, 'entryAt'>, size: number): ReadBeginning | undefined {
  const opening = recordIn(log.entryAt(0));
  if (opening?.table !== 'origins') return undefined;
  const [, before = '', because = '', , records = ''] = opening.fields.map(unescapeField);
  const [found, lost]: [string[], string[]] = [[], []];
  for (let place = 1; place < Math.min(Number(records) + 1, size); place++) {
    const { table, fields } = recordIn(log.entryAt(place)) ?? {
      table: 'found',
      fields: [`record ${place} is missing or can't be read`],
    };
    (table === 'lost' ? lost : found).push(...fields.map(unescapeField));
  }
  return { before, because, found, lost };
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
