import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import { logNameOf, originOf } from '@drawhouse/tlog/log-origins';
import type { LogName } from '@drawhouse/tlog/log-origins';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import type { VerifyEd25519 } from '@drawhouse/tlog/note-signatures';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import { isConsistent, isIncluded, sameBytes } from '@drawhouse/tlog/verify-proofs';
import type { TreeHead } from '@drawhouse/tlog/verify-proofs';
import { readBegin, readPath } from './log-answers.ts';

/** What the server answers at a path: its status and its text. Rejects where no answer comes. */
export type Get = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

/** What does not fit what was seen before. */
export const MISFITS = ['rolled back', 'forked', 'unproved', 'other key', 'other log'] as const;
/** One of {@link MISFITS}. */
export type Misfit = (typeof MISFITS)[number];

/** That a log took the place of the one that was seen, and names it with all that was seen of it. */
export interface BegunAnew {
  readonly from: string;
  readonly to: string;
  /** Why, in the words of the server. */
  readonly why: string;
}

/** What a look at the log has come to. */
export type Look =
  /** No answer, or none that is about a log: nothing is known. */
  | { readonly is: 'nothing' }
  | { readonly is: 'fits'; readonly note: string; readonly begun: BegunAnew | null }
  /** `note` is what was shown; what is kept of before is the other half of the evidence. */
  | { readonly is: 'misfit'; readonly misfit: Misfit; readonly note: string };

/** A checkpoint that was seen, and by which key it was signed. */
export interface Seen {
  readonly note: string;
  /** 32 bytes of Ed25519: the key that was seen first. */
  readonly publicKey: Uint8Array;
}

/** What looking needs: how the server is asked, and how signatures are verified; null where they can't be, and trees alone are compared. */
export interface LookPorts {
  readonly get: Get;
  readonly verify: VerifyEd25519 | null;
}

const NEWEST = '/seals/checkpoint';
const NOT_FOUND = 404;
/** The checkpoint of a note, which may be signed by nobody; null where it is none. */
export function checkpointIn(note: string): Checkpoint | null {
  try {
    return parseCheckpoint(parseNote(note).text);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

/** Whether the log of a note's checkpoint has signed it by this key; without a way to verify, whether it says so. */
export async function isSignedBy(
  note: string,
  origin: string,
  publicKey: Uint8Array,
  verify: VerifyEd25519 | null,
): Promise<boolean> {
  const key = noteKey(origin, SIGNATURE_TYPES.ed25519, publicKey);
  const { text, signatures } = parseNote(note);
  const own = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
  if (!own) return false;
  return verify === null || (await verifySignature(text, own, key, verify)) !== null;
}

/**
 * Asks for the newest checkpoint and judges it by one that was seen before, which has to be asked for before the call: the tree that is shown now has to go on from it.
 * What can't be read counts for nothing, as does a server that seals nothing.
 */
export async function lookAtLog(seen: Seen, ports: LookPorts): Promise<Look> {
  const answer = await ask(ports.get, NEWEST);
  if (answer?.status !== 200) return { is: 'nothing' };
  return judgeNote(seen, answer.text, ports);
}

/** Judges one checkpoint by one that was seen before it. */
export async function judgeNote(seen: Seen, note: string, ports: LookPorts): Promise<Look> {
  const before = checkpointIn(seen.note);
  return before ? judgeFrom(before, seen.publicKey, note, ports) : { is: 'nothing' };
}

/** Judges one checkpoint by what is known of one before it, whoever signed that; this one has to be signed by the key. */
export async function judgeFrom(
  before: Omit<Checkpoint, 'extensions'>,
  publicKey: Uint8Array,
  note: string,
  { get, verify }: LookPorts,
): Promise<Look> {
  const now = checkpointIn(note);
  const log = now && logNameOf(now.origin);
  if (!now || !log) return { is: 'nothing' };
  const misfit = (which: Misfit): Look => ({ is: 'misfit', misfit: which, note });
  if (!(await isSignedBy(note, now.origin, publicKey, verify))) return misfit('other key');
  if (before.origin === now.origin) {
    const found = await goesOn(get, log.nth, before, now);
    if (found === 'unknown') return { is: 'nothing' };
    return found === null ? { is: 'fits', note, begun: null } : misfit(found);
  }
  const first = logNameOf(before.origin);
  if (!first || first.name !== log.name || first.nth > log.nth) return misfit('other log');
  const named = await walkBack(get, first, log, now);
  if (named === 'unknown') return { is: 'nothing' };
  if (named === 'other log') return misfit(named);
  const found = await goesOn(get, first.nth, before, named.head);
  if (found === 'unknown') return { is: 'nothing' };
  if (found !== null) return misfit(found);
  return { is: 'fits', note, begun: { from: before.origin, to: now.origin, why: named.why } };
}

/** What is wrong with a later tree of a log; null where the earlier one is its beginning, 'unknown' where no answer came. */
async function goesOn(get: Get, nth: number, before: TreeHead, now: TreeHead): Promise<Misfit | 'unknown' | null> {
  if (now.size < before.size) return 'rolled back';
  if (now.size === before.size) return sameBytes(now.root, before.root) ? null : 'forked';
  if (before.size === 0) return null;
  const answer = await askOfLog(get, `/seals/${nth}/proof?from=${before.size}&to=${now.size}`);
  if (!answer) return 'unknown';
  const path = answer.status === 200 ? readPath(answer.text) : null;
  return path && isConsistent(before, now, path) ? null : 'unproved';
}

/** From a log back to an earlier one of the same installation: each has to begin with a record that names the one before. Gives the tree that the last of them names. */
async function walkBack(
  get: Get,
  first: LogName,
  log: LogName,
  newest: TreeHead,
): Promise<{ head: TreeHead; why: string } | 'other log' | 'unknown'> {
  let head = newest;
  let why = '';
  for (let nth = log.nth; nth > first.nth; nth--) {
    const answer = await askOfLog(get, `/seals/${nth}/begins?size=${head.size}`);
    if (!answer) return 'unknown';
    const begin = answer.status === 200 ? readBegin(answer.text) : null;
    const isThere = begin && isIncluded({ leaf: begin.entry, index: 0, size: head.size, path: begin.path }, head.root);
    if (!isThere || begin.names?.origin !== originOf(log.name, nth - 1)) return 'other log';
    head = begin.names;
    why = begin.names.why;
  }
  return { head, why };
}

/** An answer that says something for sure: null where none came, or the server could not answer now. */
async function ask(get: Get, path: string): Promise<{ status: number; text: string } | null> {
  const answer = await get(path).catch(() => null);
  if (!answer) return null;
  const isLater = answer.status >= 500 || answer.status === 408 || answer.status === 429;
  return isLater ? null : answer;
}

/** The same of something of a log: that it is not there says nothing where no log is served at all, as while a server has not begun to seal. */
async function askOfLog(get: Get, path: string): Promise<{ status: number; text: string } | null> {
  const answer = await ask(get, path);
  if (answer?.status !== NOT_FOUND) return answer;
  return (await ask(get, NEWEST))?.status === 200 ? answer : null;
}
