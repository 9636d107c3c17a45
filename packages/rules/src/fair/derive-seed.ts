import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../canonical-json.ts';
import type { FamilyName } from '../games/catalogue.ts';
import { termsFields, type DrawTerms } from './draw-terms.ts';

const TAG = 'drawhouse draw seed v1\n';
const PART_BYTES = 32;
const ROUND_BYTES = 8;
const DRAW_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Excludes tickets: a party able to shape an input could try many. */
export interface SeedParts {
  /** Lower-case UUID. */
  readonly drawId: string;
  /** 32 bytes: `rulesHash` of game and terms. */
  readonly rulesHash: Uint8Array;
  /** 32 bytes, committed at opening. */
  readonly operatorSeed: Uint8Array;
  readonly beacons?: readonly BeaconValue[];
}

export interface BeaconValue {
  readonly round: number;
  readonly signature: Uint8Array;
}

/**
 * Hashes with SHA-256: `drawhouse draw seed v1` and a newline, draw id (16 bytes), rules hash, operator seed, then per
 * beacon the round (8 bytes, big-endian) and the SHA-256 of its signature. Unambiguous, because the rules hash covers
 * the beacons.
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

export interface DrawnGame {
  readonly gameId: string;
  readonly family: FamilyName;
  readonly digits: number;
}

/**
 * Input of the rules hash: `rules:` and canonical JSON of game and terms, `{"digits":10,"family":…,"gameId":…,
 * "manualClaims":false,"pays":{…},"resultMode":"open","rulesVersion":1,"unitPrice":"100","weights":[…]}`. Pays and
 * price in hundredths.
 */
export function rulesText({ gameId, family, digits }: DrawnGame, terms: DrawTerms): string {
  return `rules:${canonicalJson({ ...termsFields(terms), gameId, family, digits })}`;
}

/** SHA-256 of `rulesText` in UTF-8. */
export function rulesHash(game: DrawnGame, terms: DrawTerms): Uint8Array {
  return sha256(utf8ToBytes(rulesText(game, terms)));
}
