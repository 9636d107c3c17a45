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
  'rolled back': 'The sealed books have gone back.',
  forked: 'There are two versions of the sealed books.',
  unproved: 'The sealed books do not go on from what this browser saw.',
  'other key': 'The books are sealed by another key.',
  'other log': 'Another log is in the place of the sealed books.',
};

const MEANINGS: Readonly<Record<Misfit, string>> = {
  'rolled back':
    'A log only ever grows. Either its files were put back to an older copy, or records were taken out of it on purpose.',
  forked:
    'Of the same number of records there can be only one fingerprint. Records were changed, or different people are shown different books.',
  unproved:
    'The server has to prove that its books begin with all that was sealed before. It did not. Records may have been changed, taken out or put in, or the files of that log were lost.',
  'other key':
    'Only the key that this browser saw first may sign this log. The server was set up anew with another one, or somebody else answers in its place.',
  'other log':
    'A new log is begun after a restore of the whole database, or once the files of the old one are lost, and then names the one before with all that was in it. This one does not name what this browser saw.',
};

const REPORT =
  'Keep the evidence: it holds what the server signed before and what it signed now, which it can’t deny. Show it to whoever runs the house, to who audits it, and to a witness of the seals where one is named on the page about the seals.';
const GO_ON = 'You can go on: nothing is locked, and nothing of yours was changed by this.';
/** What this check is good for, and what not. */
export const WATCH_HONESTLY =
  'This check helps against whoever can write to the database. It does not help against a server that sends changed pages, as the check comes with them: a witness on another machine does.';
/** What is said where a browser can't verify signatures. */
export const UNVERIFIED =
  'This browser can’t verify the signatures: it offers that over HTTPS alone, and older ones not at all. So it compared what was sealed, and not who signed it.';

/** What the bar says of what a browser knows; null where there is nothing to say. */
export function barOf(watched: Watched | null, written: Written): WatchBar | null {
  if (!watched) return null;
  const { found, begun } = watched;
  if (found) return barOfFinding(watched, found, written);
  if (!begun) return null;
  return {
    tone: 'info',
    title: 'A new log of the sealed books was begun.',
    seen: `The server says why: ${begun.why || 'it gives no reason'}`,
    more: [
      `The new log, ${begun.to}, names the one before, ${begun.from}, with all that this browser saw of it. What was in the books after the state that they were put back to is in the old log, and no longer in the books.`,
      WATCH_HONESTLY,
    ],
    evidence: null,
  };
}

function barOfFinding(watched: Watched, found: Finding, { count, time }: Written): WatchBar {
  const { misfit, before, now, at, healedAt } = found;
  const [was, is] = [headOf(before), headOf(now)];
  const other = was.origin === is.origin ? '' : ` of ${is.origin}`;
  const seen = `This browser saw ${count(was.size)} records of ${was.origin}. On ${time(at)} the server showed ${count(is.size)}${other}${was.size === is.size ? ', with another fingerprint' : ''}.`;
  const healed = healedAt === null ? '' : ` Since ${time(healedAt)} it goes on again from what this browser saw.`;
  return {
    tone: healedAt === null ? 'bad' : 'warn',
    title: TITLES[misfit],
    seen: seen + healed,
    more: [MEANINGS[misfit], REPORT, GO_ON, ...(watched.isVerified ? [] : [UNVERIFIED]), WATCH_HONESTLY],
    evidence: (from) => evidenceOf(watched, found, from),
  };
}

/** Both signed statements with what is needed to judge them, as a text. */
function evidenceOf({ publicKey, since, isVerified }: Watched, found: Finding, from: string): string {
  const { misfit, before, now, at, healedAt } = found;
  const key = noteKey(headOf(before).origin, SIGNATURE_TYPES.ed25519, bytesOfBase64(publicKey)!);
  const iso = (ms: number): string => new Date(ms).toISOString();
  return [
    'Two checkpoints of a log of seals that do not fit (C2SP tlog-checkpoint)',
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
  if (!watched) return 'This browser has not seen the log yet: it looks some seconds after a page is opened.';
  const { since, checkedAt, isVerified, found } = watched;
  const first = `This browser saw the log first on ${time(since)}.`;
  if (found?.healedAt === null) return `${first} What the server shows now does not go on from what it saw then.`;
  const last = `On ${time(checkedAt)} it last found that all goes on from there.`;
  return [first, last, ...(isVerified ? [] : [UNVERIFIED])].join(' ');
}
