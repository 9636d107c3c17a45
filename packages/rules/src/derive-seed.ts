import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical-json.ts';
import type { FamilyName } from './catalogue.ts';
import { termsFields } from './terms.ts';
import type { DrawTerms } from './terms.ts';

const TAG = 'drawhouse draw seed v1\n';
const PART_BYTES = 32;
const ROUND_BYTES = 8;
const DRAW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The parts of a draw's seed. Tickets are none of it: whoever can shape an input could try many. */
export interface SeedParts {
  /** The draw's id, a UUID in lower case. */
  readonly drawId: string;
  /** `rulesHash` of its game and terms, 32 bytes. */
  readonly rulesHash: Uint8Array;
  /** The server's own seed, 32 bytes: it committed to it when the draw opened. */
  readonly operatorSeed: Uint8Array;
  /** The round of each beacon with its signature, in the order of the terms. */
  readonly beacons?: readonly BeaconValue[];
}

/** A round of a beacon, with the beacon's signature of it. */
export interface BeaconValue {
  readonly round: number;
  readonly signature: Uint8Array;
}

/**
 * The seed of a draw, 32 bytes (domain, section 4): SHA-256 of `drawhouse draw seed v1` and a newline, the 16 bytes of
 * the draw's id, the rules hash, the operator's seed and, for each beacon, the round as 8 bytes (the most significant first) and the SHA-256 of
 * its signature. The rules hash covers the beacons, so no two lists of parts give the same text. Throws RangeError for an invalid part.
 */
export function deriveSeed({ drawId, rulesHash: rules, operatorSeed, beacons = [] }: SeedParts): Uint8Array {
  if (!DRAW_ID.test(drawId)) throw new RangeError('The id of a draw is a UUID in lower case.');
  if ([rules, operatorSeed].some((part) => part.length !== PART_BYTES))
    throw new RangeError(`The rules hash and the seed have ${PART_BYTES} bytes.`);
  return sha256(
    concatBytes(
      utf8ToBytes(TAG),
      hexToBytes(drawId.replaceAll('-', '')),
      rules,
      operatorSeed,
      ...beacons.flatMap(({ round, signature }) => [roundBytes(round), sha256(signature)]),
    ),
  );
}

function roundBytes(round: number): Uint8Array {
  if (!Number.isSafeInteger(round) || round < 1) throw new RangeError('A round is a whole number from 1.');
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
 * "manualClaims":false,"pays":{…},"resultMode":"open","rulesVersion":1,"unitPrice":"100","weights":[…]}`, pays and price in hundredths.
 */
export function rulesText({ gameId, family, digits }: DrawnGame, terms: DrawTerms): string {
  return `rules:${canonicalJson({ ...termsFields(terms), gameId, family, digits })}`;
}

/** The rules hash of a draw, 32 bytes: the SHA-256 of its `rulesText` in UTF-8. */
export function rulesHash(game: DrawnGame, terms: DrawTerms): Uint8Array {
  return sha256(utf8ToBytes(rulesText(game, terms)));
}
