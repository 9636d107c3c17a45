import { bytesOfBase64 } from '@drawhouse/tlog/base64';
import { parseNoteKey } from '@drawhouse/tlog/note-keys';
import { checkpointIn, isSignedBy, judgeFrom } from './log-look.ts';
import type { BegunAnew, LookPorts, Misfit } from './log-look.ts';
import { shortSeal } from './short-seal.ts';

/** A seal as a person has it: from a saved receipt, a page, or a printed ticket. */
export interface PastedSeal {
  /** Which log; null where that is not said. */
  readonly origin: string | null;
  /** How many records it had then. */
  readonly size: number;
  /** The fingerprint of them all, 32 bytes. */
  readonly root: Uint8Array;
  /** The whole signed checkpoint; null where only its numbers are there. */
  readonly note: string | null;
}

/** A root in base64, which paper has in two halves. */
const ROOT = /(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{22})\s*([A-Za-z0-9+/]{21}=)/;
const ORIGIN = /[^\s,"]+\/seals\/\d+/;
/** A number with what may stand between its thousands. */
const COUNT = /\d(?:[\d,.’' \u00a0\u202f]*\d)?/g;
const MOST_DIGITS = 15;

/**
 * Reads a seal from what somebody pastes: a receipt that was saved as a file, a signed checkpoint, or the words of a page or of a printed ticket, in which the
 * number of records and the fingerprint stand. Null where either is not there, or not sure.
 */
export function readPastedSeal(pasted: string): PastedSeal | null {
  const text = (sealIn(pasted) ?? pasted).replaceAll('\r\n', '\n').trimStart();
  const short = shortSeal(text);
  if (short) {
    const whole = checkpointIn(text) ? text : checkpointIn(`${text}\n`) ? `${text}\n` : null;
    return sealOf(short.origin, short.size, short.root, whole);
  }
  const [found, ...halves] = ROOT.exec(text) ?? [];
  if (found === undefined) return null;
  const origin = ORIGIN.exec(text)?.[0] ?? null;
  const size = sizeIn(text.replace(found, ' ').replace(origin ?? '', ' '));
  return size === null ? null : sealOf(origin, size, halves.join(''), null);
}

function sealOf(origin: string | null, size: number, encoded: string, note: string | null): PastedSeal | null {
  const root = bytesOfBase64(encoded);
  return root?.length === 32 ? { origin, size, root, note } : null;
}

/** The checkpoint in a receipt that was saved. */
function sealIn(text: string): string | null {
  try {
    const { seal } = JSON.parse(text) as { seal?: unknown };
    return typeof seal === 'string' ? seal : null;
  } catch {
    return null;
  }
}

/** The number before the word records, or the only one that there is. */
function sizeIn(text: string): number | null {
  const before = /(\d[\d,.’' \u00a0\u202f]*)\s*records/i.exec(text)?.[1];
  const all = before === undefined ? (text.match(COUNT) ?? []) : [before];
  const digits = all.length === 1 ? all[0]!.replaceAll(/\D/g, '') : '';
  return digits !== '' && digits.length <= MOST_DIGITS ? Number(digits) : null;
}

/** Whether the log of now contains a pasted seal. */
export type PastedFinding =
  /** It does: `now` is how many records it has, `begun` what took the place of the log that the seal is of. */
  | { readonly is: 'in'; readonly now: number; readonly begun: BegunAnew | null; readonly isVerified: boolean }
  | { readonly is: 'out'; readonly misfit: Misfit; readonly now: number }
  /** The seal itself is signed, and not by the key of this server. */
  | { readonly is: 'foreign' }
  /** The server did not answer, or seals nothing. */
  | { readonly is: 'unknown' };

/** Asks the server to prove that its log of now goes on from a pasted seal, and verifies the proof here. */
export async function judgePasted(pasted: PastedSeal, ports: LookPorts): Promise<PastedFinding> {
  const [keyText, note] = await Promise.all([textAt(ports, '/seals/key'), textAt(ports, '/seals/checkpoint')]);
  const key = parseNoteKey(keyText?.trim() ?? '');
  const head = checkpointIn(note ?? '');
  if (!key || !head || note === null) return { is: 'unknown' };
  const origin = pasted.origin ?? head.origin;
  if (pasted.note !== null && !(await isSignedBy(pasted.note, origin, key.publicKey, ports.verify)))
    return { is: 'foreign' };
  const look = await judgeFrom({ origin, size: pasted.size, root: pasted.root }, key.publicKey, note, ports);
  if (look.is === 'nothing') return { is: 'unknown' };
  if (look.is === 'misfit') return { is: 'out', misfit: look.misfit, now: head.size };
  return { is: 'in', now: head.size, begun: look.begun, isVerified: ports.verify !== null };
}

async function textAt({ get }: LookPorts, path: string): Promise<string | null> {
  const answer = await get(path).catch(() => null);
  return answer?.status === 200 ? answer.text : null;
}
