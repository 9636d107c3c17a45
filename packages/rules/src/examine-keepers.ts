import { hexToBytes } from '@noble/hashes/utils.js';
import { keeperDayText, keeperReleaseText } from './keeper-texts.ts';
import type { PublishedKeeper } from './published-seed.ts';

/** Whether a signature of 64 bytes is that of a text by an Ed25519 key of 32 bytes. */
export type VerifyEd25519 = (signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array) => boolean;

/** What a draw has that its keepers have signed. */
export interface KeptDraw {
  readonly drawId: string;
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
  /** Its signature of the release, for this draw and its tickets; null while it has released nothing. */
  readonly release: boolean | null;
}

/**
 * Checks what the keepers of a published draw have signed: the root of their day, and that they released their seeds for this draw as it was closed,
 * with these tickets. `verify` is whatever the machine has for Ed25519. Never throws; problems are sentences.
 */
export function examineKeepers(
  draw: KeptDraw,
  verify: VerifyEd25519,
): { readonly keepers: readonly ExaminedKeeper[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const keepers = (draw.keepers ?? []).map((keeper): ExaminedKeeper => {
    const { name, day, index, signature } = keeper;
    const isDay = isSigned(verify, keeper.publicKey, keeper.daySignature, () => keeperDayText(keeper));
    if (!isDay) problems.push(`The signature of ${name} over its day ${day} is not right.`);
    if (signature === null) {
      if (keeper.seed !== null) problems.push(`The seed of ${name} comes without its signature.`);
      return { day: isDay, release: null };
    }
    const { drawId, commitment, tickets, ticketRoot } = draw;
    const isRelease = isSigned(verify, keeper.publicKey, signature, () =>
      keeperReleaseText(name, { day, index, drawId, commitment, tickets: tickets ?? -1, ticketRoot: ticketRoot ?? '' }),
    );
    if (!isRelease) problems.push(`The signature of ${name} is not for this draw, closed with these tickets.`);
    return { day: isDay, release: isRelease };
  });
  return { keepers, problems };
}

function isSigned(verify: VerifyEd25519, publicKey: string, signature: string, text: () => Uint8Array): boolean {
  try {
    return verify(hexToBytes(signature), text(), hexToBytes(publicKey));
  } catch {
    return false;
  }
}
