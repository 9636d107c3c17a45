import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical-json.ts';
import type { FamilyName } from './catalogue.ts';
import { termsFields } from './terms.ts';
import type { DrawTerms } from './terms.ts';

const TAG = 'drawhouse draw seed v2\n';
const PART_BYTES = 32;
const ROUND_BYTES = 8;
const DRAW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a draw's seed comes from, since version 2 of the rules. Tickets are none of it: whoever can shape an input could try many. */
export interface SeedParts {
  /** The draw's id, a UUID in lower case. */
  readonly drawId: string;
  /** `rulesHash` of its game and terms, 32 bytes. */
  readonly rulesHash: Uint8Array;
  /** The server's own seed, 32 bytes: it committed to it when the draw opened. */
  readonly operatorSeed: Uint8Array;
  /** The seed of each keeper, 32 bytes, in the order in which the draw names them; none of a draw that is kept by the server alone. */
  readonly keeperSeeds: readonly Uint8Array[];
  /** The drand round that was fixed when the draw opened, and its randomness of 32 bytes; absent where none was. */
  readonly beacon?: { readonly round: number; readonly randomness: Uint8Array } | undefined;
}

/**
 * The seed of a draw, 32 bytes, version 2 of the rules (domain, section 4): SHA-256 of `drawhouse draw seed v2` and a newline, the 16 bytes of
 * the draw's id, the rules hash, the operator's seed, each keeper's seed and, where one is set, the drand round as 8 bytes (the most significant
 * first) and its randomness. Keepers add 32 bytes each and a round 40, so no two lists of parts give the same text. What follows from the seed is as before (`seedWords`). Whoever lacks one of the seeds or the randomness knows nothing of the
 * result, and nobody who fixed a part before the others were known could choose among results. Throws RangeError for a part that can't be one.
 */
export function deriveSeed({ drawId, rulesHash: rules, operatorSeed, keeperSeeds, beacon }: SeedParts): Uint8Array {
  if (!DRAW_ID.test(drawId)) throw new RangeError('The id of a draw is a UUID in lower case.');
  const parts = [rules, operatorSeed, ...keeperSeeds, ...(beacon ? [beacon.randomness] : [])];
  if (parts.some((part) => part.length !== PART_BYTES))
    throw new RangeError(`The rules hash, each seed and the randomness of a round have ${PART_BYTES} bytes.`);
  return sha256(
    concatBytes(
      utf8ToBytes(TAG),
      hexToBytes(drawId.replaceAll('-', '')),
      rules,
      operatorSeed,
      ...keeperSeeds,
      ...(beacon ? [roundBytes(beacon.round), beacon.randomness] : []),
    ),
  );
}

function roundBytes(round: number): Uint8Array {
  if (!Number.isSafeInteger(round) || round < 1) throw new RangeError('A drand round is a whole number from 1.');
  const bytes = new Uint8Array(ROUND_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
  return bytes;
}

/** A draw's game, as far as its result depends on it. */
export interface DrawnGame {
  readonly gameId: string;
  readonly family: FamilyName;
  readonly digits: number;
}

/**
 * The text that a draw's rules hash is of: `rules:` and the canonical JSON of its game and terms, `{"digits":10,"family":…,"gameId":…,
 * "manualClaims":false,"pays":{…},"resultMode":"open","rulesVersion":2,"unitPrice":"100","weights":[…]}`, pays and price in hundredths.
 */
export function rulesText({ gameId, family, digits }: DrawnGame, terms: DrawTerms): string {
  return `rules:${canonicalJson({ ...termsFields(terms), gameId, family, digits })}`;
}

/** The rules hash of a draw, 32 bytes: the SHA-256 of its `rulesText` in UTF-8. */
export function rulesHash(game: DrawnGame, terms: DrawTerms): Uint8Array {
  return sha256(utf8ToBytes(rulesText(game, terms)));
}
