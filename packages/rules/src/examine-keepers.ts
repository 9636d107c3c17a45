import { hexToBytes } from '@noble/hashes/utils.js';
import { keeperDayText, keeperReleaseText } from './keeper-texts.ts';
import type { PublishedKeeper } from './published-seed.ts';

/** Whether a signature of 64 bytes is that of a text by an Ed25519 key of 32 bytes. */
export type VerifyEd25519 = (signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array) => boolean;

/** What a draw has that its keepers have signed. */
export interface KeptDraw {
  readonly drawId: string;
  /** When betting on it closes, ISO 8601. */
  readonly closesAt?: string;
  /** What the server committed to, 64 hex digits. */
  readonly commitment: string;
  /** How many tickets it was closed with, and the root of their tree; null while it is open. */
  readonly tickets?: number | null;
  readonly ticketRoot?: string | null;
  readonly keepers?: readonly PublishedKeeper[];
}

/** What of a keeper's signatures is right. */
export interface ExaminedKeeper {
  /** The keeper's signature of its day. */
  readonly day: boolean;
  /** Its signature of the release, for this draw, its close and its tickets; null while it has released nothing. */
  readonly release: boolean | null;
  /** Whether it signed for the close that the draw says, and released after it; null while it has released nothing. */
  readonly inTime: boolean | null;
}

/** What is found of all keepers of a draw; problems are sentences. */
export interface ExaminedKeepers {
  readonly keepers: readonly ExaminedKeeper[];
  /** All that is wrong, with what is unfair. */
  readonly problems: readonly string[];
  /** Of these, what makes the draw unfair: that somebody could know a keeper's seed while betting was open. */
  readonly unfair: readonly string[];
}

/**
 * Checks what the keepers of a published draw have signed: the root of their day, and that they released their seeds for this draw as it was closed,
 * with these tickets, after betting had closed. `verify` is whatever the machine has for Ed25519. Never throws.
 */
export function examineKeepers(draw: KeptDraw, verify: VerifyEd25519): ExaminedKeepers {
  const problems: string[] = [];
  const unfair: string[] = [];
  const keepers = (draw.keepers ?? []).map((keeper): ExaminedKeeper => {
    const { name, day, signature } = keeper;
    const isDay = isSigned(verify, keeper.publicKey, keeper.daySignature, () => keeperDayText(keeper));
    if (!isDay) problems.push(`The signature of ${name} over its day ${day} is not right.`);
    const wrong = unfairOf(draw, keeper);
    unfair.push(...wrong);
    if (signature === null) {
      if (keeper.seed !== null) problems.push(`The seed of ${name} comes without its signature.`);
      return { day: isDay, release: null, inTime: null };
    }
    const isRelease = isSigned(verify, keeper.publicKey, signature, () => releaseText(draw, keeper));
    if (!isRelease) problems.push(`The signature of ${name} is not for this draw, closed with these tickets.`);
    return { day: isDay, release: isRelease, inTime: wrong.length === 0 };
  });
  return { keepers, problems: [...unfair, ...problems], unfair };
}

function releaseText(
  { drawId, commitment, tickets, ticketRoot }: KeptDraw,
  { name, day, index, closesAt, releasedAt }: PublishedKeeper,
): Uint8Array {
  const closed = { commitment, tickets: tickets ?? -1, ticketRoot: ticketRoot ?? '' };
  return keeperReleaseText(name, { day, index, drawId, closesAt, ...closed }, releasedAt ?? '');
}

/** Why a draw is unfair by what one keeper is asked to sign, and signed. */
function unfairOf({ closesAt }: KeptDraw, { name, closesAt: signedFor, releasedAt }: PublishedKeeper): string[] {
  const unfair: string[] = [];
  if (closesAt !== signedFor)
    unfair.push(
      `Unfair: the draw says that betting closed at ${closesAt}, and ${name} was asked for its seed by a close at ${signedFor}.`,
    );
  // A time that is none is after nothing.
  if (releasedAt !== null && !(Date.parse(releasedAt) >= Date.parse(closesAt ?? '')))
    unfair.push(`Unfair: ${name} released its seed at ${releasedAt}, and betting closed only at ${closesAt}.`);
  return unfair;
}

function isSigned(verify: VerifyEd25519, publicKey: string, signature: string, text: () => Uint8Array): boolean {
  try {
    return verify(hexToBytes(signature), text(), hexToBytes(publicKey));
  } catch {
    return false;
  }
}
