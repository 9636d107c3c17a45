import { base64Of, bytesOfBase64 } from '@drawhouse/tlog/base64';
import { logNameOf } from '@drawhouse/tlog/log-origins';
import { parseNoteKey } from '@drawhouse/tlog/note-keys';
import { checkpointIn, isSignedBy, judgeNote, lookAtLog, MISFITS } from './log-look.ts';
import type { BegunAnew, Look, LookPorts, Misfit, Seen } from './log-look.ts';

/** Something that did not fit, with both signed statements. It stays until a person has settled it. */
export interface Finding {
  readonly misfit: Misfit;
  readonly before: string;
  readonly now: string;
  /** When it was found, and since when it fits again what was seen before; null where it does not. In milliseconds since 1970. */
  readonly at: number;
  readonly healedAt: number | null;
}

/** What a browser keeps of the log of the server that a page comes from. */
export interface Watched {
  /** The newest checkpoint that fits all that was seen, a signed note. */
  readonly note: string;
  /** The key that was seen first, 32 bytes in base64. */
  readonly publicKey: string;
  /** When the log was seen first, and when it was last found to go on; in milliseconds since 1970. */
  readonly since: number;
  readonly checkedAt: number;
  /** Whether signatures could be verified then. */
  readonly isVerified: boolean;
  readonly found: Finding | null;
  readonly begun: BegunAnew | null;
}

/** What is known after a look, in place of what was before; `at` is the time in milliseconds since 1970. What was found stays: a log that fits again does not undo it. */
export function afterLook(before: Watched, look: Look, at: number, isVerified: boolean): Watched {
  if (look.is === 'nothing') return before;
  const { found } = before;
  if (look.is === 'fits') {
    const isHealed = found !== null && found.healedAt === null;
    return {
      ...before,
      note: look.note,
      checkedAt: at,
      isVerified,
      found: isHealed ? { ...found, healedAt: at } : found,
      begun: look.begun ?? before.begun,
    };
  }
  // The first evidence is kept: what comes after may be made to look harmless.
  if (found) return found.healedAt === null ? before : { ...before, found: { ...found, healedAt: null } };
  const finding = { misfit: look.misfit, before: before.note, now: look.note, at, healedAt: null };
  return { ...before, found: finding };
}

/**
 * What is known after a person has seen what was found: nothing, so that the next look begins anew, where it does not fit to this moment; else what was known, without it.
 */
export function afterSettling(before: Watched): Watched | null {
  if (before.found !== null && before.found.healedAt === null) return null;
  return { ...before, found: null, begun: null };
}

/** A first sight of the log: its key and its newest checkpoint are taken as they are, if only they are each other's. Null where there are none. */
export async function firstSight(ports: LookPorts, at: number): Promise<Watched | null> {
  const [key, checkpoint] = await Promise.all([textAt(ports, '/seals/key'), textAt(ports, '/seals/checkpoint')]);
  const known = parseNoteKey(key?.trim() ?? '');
  const head = checkpointIn(checkpoint ?? '');
  if (!known || !head || checkpoint === null || head.origin !== known.name) return null;
  if (!(await isSignedBy(checkpoint, head.origin, known.publicKey, ports.verify))) return null;
  return {
    note: checkpoint,
    publicKey: base64Of(known.publicKey),
    since: at,
    checkedAt: at,
    isVerified: ports.verify !== null,
    found: null,
    begun: null,
  };
}

async function textAt({ get }: LookPorts, path: string): Promise<string | null> {
  const answer = await get(path).catch(() => null);
  return answer?.status === 200 ? answer.text : null;
}

/** What is known after a look, and which of the checkpoints that were heard of could not be compared, as no answer came. */
export interface LookedAgain {
  readonly watched: Watched;
  readonly waiting: readonly string[];
}

/**
 * Looks at the log once more, and at checkpoints that came with something else (`heard`): these may be older than the newest, but not other ones.
 * `at` is the time in milliseconds since 1970.
 */
export async function lookAgain(
  before: Watched,
  heard: readonly string[],
  ports: LookPorts,
  at: number,
): Promise<LookedAgain> {
  const isVerified = ports.verify !== null;
  const waiting: string[] = [];
  let told = before;
  for (const seal of heard) {
    const look = await judgeHeard(told, seal, ports);
    if (look?.is === 'nothing') waiting.push(seal);
    else if (look) told = afterLook(told, look, at, isVerified);
  }
  return { watched: afterLook(told, await lookAtLog(seenOf(told), ports), at, isVerified), waiting };
}

/** Judges one that was heard of; null where it tells nothing new: it is no checkpoint, or an older one that fits. */
async function judgeHeard(before: Watched, heard: string, ports: LookPorts): Promise<Look | null> {
  const seen = seenOf(before);
  const [known, said] = [checkpointIn(before.note), checkpointIn(heard)];
  if (!said || !logNameOf(said.origin)) return null;
  if (known?.origin !== said.origin || said.size >= known.size) return judgeNote(seen, heard, ports);
  if (!(await isSignedBy(heard, said.origin, seen.publicKey, ports.verify)))
    return { is: 'misfit', misfit: 'other key', note: heard };
  const look = await judgeNote({ ...seen, note: heard }, before.note, ports);
  return look.is === 'fits' ? null : look.is === 'misfit' ? { ...look, note: heard } : look;
}

function seenOf({ note, publicKey }: Watched): Seen {
  return { note, publicKey: bytesOfBase64(publicKey)! };
}

/** What was kept, from its text; null where it makes no sense. */
export function readWatched(text: string | null): Watched | null {
  try {
    const kept = JSON.parse(text ?? 'null') as Watched | null;
    const isWhole =
      kept !== null &&
      checkpointIn(kept.note) !== null &&
      bytesOfBase64(kept.publicKey)?.length === 32 &&
      [kept.since, kept.checkedAt].every(Number.isFinite) &&
      (kept.found === null || MISFITS.includes(kept.found.misfit)) &&
      kept.begun !== undefined;
    return isWhole ? kept : null;
  } catch {
    return null;
  }
}
