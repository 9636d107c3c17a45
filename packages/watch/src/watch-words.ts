import { bytesOfBase64 } from '@drawhouse/tlog/base64';
import { formatNoteKey, noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import type { Misfit } from './log-look.ts';
import { shortSeal } from './short-seal.ts';
import type { ShortSeal } from './short-seal.ts';
import type { Finding, Watched } from './watched-log.ts';

/** How a client writes what these words name: a number of records, and an instant given in milliseconds since 1970. */
export interface Written {
  readonly count: (records: number) => string;
  readonly time: (ms: number) => string;
}

/** What the bar says that no page goes without while something of the seals is to be known. */
export interface WatchBar {
  /** `bad`: something does not fit; `warn`: it did not, and does again; `info`: a new log was begun as one should be. */
  readonly tone: 'bad' | 'warn' | 'info';
  readonly title: string;
  /** What was seen, in a sentence or two. */
  readonly seen: string;
  /** What it means and what to do, a paragraph each. */
  readonly more: readonly string[];
  /** What is to be kept and passed on, as a text file; null where nothing is. */
  readonly evidence: ((from: string) => string) | null;
}

const TITLES: Readonly<Record<Misfit, string>> = {
  'rolled back': 'Sealed records are missing.',
  forked: 'There are two versions of the sealed books.',
  unproved: 'The server did not prove that its sealed books are still those that this browser saw.',
  'other key': 'The sealed books are signed with another key than before.',
  'other log': 'These are other sealed books than those that this browser saw.',
};

const MEANINGS: Readonly<Record<Misfit, string>> = {
  'rolled back':
    'The sealed books only ever get longer. Now they are shorter than they were. Either the house put an older copy in their place, as after a broken disk, or somebody took records out. This browser can’t tell which: ask the house.',
  forked:
    'The fingerprint is computed from all records together. As many records with another fingerprint mean that a record was changed, or that different people are shown different books.',
  unproved:
    'The server has to prove that all the records which this browser saw are still there, unchanged. It did not. Either records were changed, taken out or put in. Or the house lost the files of those books and has begun new ones, as it may; then nobody can prove this any more. This browser can’t tell which: ask the house what happened, and when.',
  'other key':
    'This browser remembers the key that signed the books when it first saw them. Either the house has set its server up anew with another key, or somebody else answers in its place. Ask the house which it is.',
  'other log':
    'A house may begin new sealed books, as after its whole database was put back or files were lost. The new ones then have to name the old ones, with all that was in them. These do not name what this browser saw. Either the seals were set up anew without that, or somebody has put other books in their place. Ask the house which it is.',
};

/** What is said in place of both once all fits again, whatever it was. */
const HEALED = {
  title: 'The sealed books did not fit for a while.',
  meaning:
    'For a while what the server showed of its sealed books did not fit what this browser had seen of them. Either the house had put an older copy in their place, as after a broken disk, or somebody had put others there. Now all fits again, and nothing is missing. This browser can’t tell what it was: ask the house.',
};

const REPORT =
  'What to do: save the evidence. It has what the server signed before and what it signs now, so that it can’t deny either. Show it to the house, and to whoever checks its books. If the page “How the books are sealed” (/fair/seals) names a witness, show it to them too.';
const GO_ON = 'You can go on: nothing is locked, and this notice itself has changed nothing of yours.';
/** What this check is good for, and what not. */
export const WATCH_HONESTLY =
  'This check helps against somebody who changes what stands in the database. It does not help against a server that sends changed pages, as the check comes with them. Against that a witness helps: somebody else, who checks on another machine.';
/** What is said where a browser can't verify signatures. */
export const UNVERIFIED =
  'This browser could not check who signed the books: browsers do that only on pages opened by https://, and old ones never. It has checked that the records are the same, not who vouches for them.';

/** What the bar says of what a browser knows; null where there is nothing to say. */
export function barOf(watched: Watched | null, written: Written): WatchBar | null {
  if (!watched) return null;
  const { found, begun } = watched;
  if (found) return barOfFinding(watched, found, written);
  if (!begun) return null;
  return {
    tone: 'info',
    title: 'The house has begun new sealed books.',
    seen: begun.why ? `Its reason: ${begun.why}` : 'It gives no reason.',
    more: [
      `This is done after the whole database was put back to an older state, or when the files of the old books are lost. The new ones, ${begun.to}, name the old ones, ${begun.from}, with all that this browser saw of them. If the database was put back, what happened after the state of then stands in the old books alone.`,
      'There is nothing that you have to do. If a ticket of yours is missing now, show the house its receipt.',
      WATCH_HONESTLY,
    ],
    evidence: null,
  };
}

function barOfFinding(watched: Watched, found: Finding, { count, time }: Written): WatchBar {
  const { misfit, before, now, at, healedAt } = found;
  const [was, is] = [headOf(before), headOf(now)];
  const other = was.origin === is.origin ? '' : ` of ${is.origin}`;
  const seen = `This browser saw ${count(was.size)} sealed records of ${was.origin}. On ${time(at)} the server showed ${count(is.size)}${other}${was.size === is.size ? ', with another fingerprint' : ''}.`;
  const isThere = healedAt !== null;
  const healed = isThere ? ` Since ${time(healedAt)} all that this browser saw is there again.` : '';
  return {
    tone: isThere ? 'warn' : 'bad',
    title: isThere ? HEALED.title : TITLES[misfit],
    seen: seen + healed,
    more: [
      isThere ? HEALED.meaning : MEANINGS[misfit],
      REPORT,
      GO_ON,
      ...(watched.isVerified ? [] : [UNVERIFIED]),
      WATCH_HONESTLY,
    ],
    evidence: (from) => evidenceOf(watched, found, from),
  };
}

/** Both signed statements with what is needed to judge them, as a text. */
function evidenceOf({ publicKey, since, isVerified }: Watched, found: Finding, from: string): string {
  const { misfit, before, now, at, healedAt } = found;
  const key = noteKey(headOf(before).origin, SIGNATURE_TYPES.ed25519, bytesOfBase64(publicKey)!);
  const iso = (ms: number): string => new Date(ms).toISOString();
  return [
    'Evidence: two statements of a server about its sealed books that do not fit together.',
    'Both are below as the server signed them (checkpoints in the format of C2SP, tlog-checkpoint).',
    `Server: ${from}`,
    `What does not fit: ${misfit}`,
    `Found: ${iso(at)}${healedAt === null ? '' : `, fits again since ${iso(healedAt)}`}`,
    `Key seen first, ${iso(since)}: ${formatNoteKey(key)}`,
    `Signatures were ${isVerified ? '' : 'not '}verified by this browser.`,
    '',
    '--- seen before ---',
    before,
    '--- shown then ---',
    now,
  ].join('\n');
}

function headOf(note: string): ShortSeal {
  return shortSeal(note)!;
}

/** Since when a browser has watched the log, and what that came to, as sentences. */
export function watchText(watched: Watched | null, { time }: Written): string {
  if (!watched) return 'This browser has not seen the sealed books yet. It looks some seconds after a page is opened.';
  const { since, checkedAt, isVerified, found } = watched;
  const first = `This browser first saw the sealed books on ${time(since)}.`;
  if (found?.healedAt === null)
    return `${first} What the server shows now does not fit that: the notice at the top says what was found.`;
  const last = `On ${time(checkedAt)} it last checked that all it had seen is still there, unchanged.`;
  return [first, last, ...(isVerified ? [] : [UNVERIFIED])].join(' ');
}
