import { replaceDurably } from '../../apps/server/src/db/durable-file.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayFiles } from './keeper-days.ts';

/** After a longer pause a folder may be an older copy of itself: a kill and a new start take seconds. */
const LONGEST_PAUSE_MS = 600_000;
const COUNTED_DAYS = 10;

/** A journal as it was when the stamp was written. */
export interface StampedJournal {
  /** Which file it was, whatever its name: a copy is another one. */
  readonly file: string;
  /** How many bytes it had for good. */
  readonly bytes: number;
}

/** What a keeper writes down every few seconds, so that the next start can tell whether its folder is the newest there was. */
export interface Stamp {
  /** When it was written, milliseconds of Unix time. */
  readonly atMs: number;
  /** The journals of the last days, by day. */
  readonly journals: Readonly<Record<string, StampedJournal>>;
}

const stampFile = (dir: string): string => join(dir, 'stamp.json');

/** The stamp of a folder; undefined where there is none, or none that can be read. */
export async function readStamp(dir: string): Promise<Stamp | undefined> {
  try {
    return JSON.parse(await readFile(stampFile(dir), 'utf8')) as Stamp;
  } catch {
    return undefined;
  }
}

/** Writes the stamp of a folder. */
export async function writeStamp(dir: string, stamp: Stamp): Promise<void> {
  await replaceDurably(stampFile(dir), `${JSON.stringify(stamp)}\n`);
}

/** Which file it is: its number in the file system, and when it was made where that is kept. */
export async function fileIdOf(file: string): Promise<string> {
  const { ino, birthtimeNs, ctimeNs } = await stat(file, { bigint: true });
  // Where a file system keeps no time of birth, that of the last change is given in its place.
  return birthtimeNs === ctimeNs ? `${ino}` : `${ino}:${birthtimeNs}`;
}

function isSameFile(one: string, other: string): boolean {
  const [[inode, birth], [otherInode, otherBirth]] = [one.split(':'), other.split(':')];
  return inode === otherInode && (birth === undefined || otherBirth === undefined || birth === otherBirth);
}

/** Why a folder may not be the newest state of its keeper: a sentence each. */
export async function doubtsAbout(dir: string, stamp: Stamp | undefined, nowMs: number): Promise<string[]> {
  if (!stamp) return ['stamp.json is missing, in which it says when it last ran.'];
  const doubts: string[] = [];
  if (Math.abs(nowMs - stamp.atMs) > LONGEST_PAUSE_MS)
    doubts.push(`It last ran at ${new Date(stamp.atMs).toISOString()}, more than ten minutes ago.`);
  for (const [day, { file }] of Object.entries(stamp.journals)) {
    const { journal } = dayFiles(dir, day);
    const found = await fileIdOf(journal).catch(() => undefined);
    if (found === undefined) doubts.push(`${journal} is missing.`);
    else if (!isSameFile(found, file)) doubts.push(`${journal} is a copy, not the file that it wrote.`);
  }
  return doubts;
}

/** How many releases the journals of the last days have: by that number a person says that a folder is the newest state. */
export async function countReleases(dir: string): Promise<number> {
  const files = await readdir(join(dir, 'days')).catch(() => []);
  const journals = files.filter((file) => file.endsWith('.releases')).toSorted();
  let lines = 0;
  for (const journal of journals.slice(-COUNTED_DAYS)) {
    const bytes = await readFile(join(dir, 'days', journal));
    // The first line is no release, and the last one that was not finished is none.
    for (let at = bytes.indexOf('\n'); (at = bytes.indexOf('\n', at + 1)) !== -1;) lines++;
  }
  return lines;
}
