import { canonicalJson } from '../canonical-json.ts';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { BOOSTER_WEIGHT_SUM, isBoosterWeights } from './booster.ts';
import type { GameRules, Result, Uniform } from '../games/game-rules.ts';
import { acceptedPays, parsePays, withPays } from '../games/pays.ts';
import { examineSeed, requireSupportedVersion, type ExaminedSeed, type PublishedSeed } from './published-seed.ts';
import { rulesFor } from '../games/rules.ts';

const SEED_BYTES = 32;
export const WORD_VALUES = 2 ** 32;
const WORD_BYTES = 4;
const MAX_CHOICES = 2 ** 31;

/** Returns lower-case hex. */
export function commitment(seed: Uint8Array): string {
  return bytesToHex(sha256(checkedSeed(seed)));
}

export type SeedWord = {
  block: number;
  position: number;
  word: number;
};

/** Block i is HMAC-SHA256(seed, `drawId:i`), i from 0, read as eight big-endian 32-bit words. */
export function seedWords(seed: Uint8Array, drawId: string, onBlock?: (bytes: Uint8Array) => void): () => SeedWord {
  const key = checkedSeed(seed);
  let block = -1;
  let bytes = new DataView(new ArrayBuffer(0));
  let offset = 0;
  return () => {
    if (offset === bytes.byteLength) {
      const next = hmac(sha256, key, utf8ToBytes(`${drawId}:${++block}`));
      onBlock?.(next);
      bytes = new DataView(next.buffer, next.byteOffset, next.byteLength);
      offset = 0;
    }
    const position = offset / WORD_BYTES;
    offset += WORD_BYTES;
    return { block, position, word: bytes.getUint32(position * WORD_BYTES) };
  };
}

export function uniformFrom(seed: Uint8Array, drawId: string): Uniform {
  const next = seedWords(seed, drawId);
  return uniformFromWords(() => next().word, WORD_VALUES);
}

/** Rejects words at or above the largest multiple of n, so word mod n is unbiased. A choice of 1 also consumes a word. */
export function uniformFromWords(nextWord: () => number, wordValues: number): Uniform {
  return (n) => {
    if (!Number.isInteger(n) || n < 1 || n > Math.min(MAX_CHOICES, wordValues)) {
      throw new RangeError(`A uniform choice is among 1 to 2^31 values, not ${n}.`);
    }
    const limit = rejectionBound(n, wordValues);
    let word = nextWord();
    while (word >= limit) word = nextWord();
    return word % n;
  };
}

export function rejectionBound(n: number, wordValues: number = WORD_VALUES): number {
  return wordValues - (wordValues % n);
}

/** Complete: a draw depends on no stakes, tickets or earlier payouts. */
export type DrawInputs = {
  rules: GameRules;
  weights: readonly number[];
  seed: Uint8Array;
  drawId: string;
};

export type Drawn = { result: Result; booster: number };

/** Chooses the result, then the booster with one choice of 10^9. */
export function generateDraw({ rules, weights, seed, drawId }: DrawInputs): Drawn {
  return drawBy(uniformFrom(seed, drawId), { rules, weights });
}

export function drawBy(random: Uniform, { rules, weights }: Pick<DrawInputs, 'rules' | 'weights'>): Drawn {
  if (!isBoosterWeights(weights, rules.maxBooster)) {
    throw new RangeError(`The weights must be ${rules.maxBooster} integers that sum to 10^9.`);
  }
  const result = rules.draw(random);
  let rest = random(BOOSTER_WEIGHT_SUM);
  const booster = weights.findIndex((weight) => (rest -= weight) < 0) + 1;
  return { result, booster };
}

/** `seed` is null until settlement. */
export type PublishedDraw = PublishedSeed & {
  result: Result | null;
  booster: number | null;
  source?: 'generated' | 'declared' | null;
  /** Void draws have no result to check. */
  status?: string;
  /** Set for void draws with beacons, once the seed is complete. */
  wouldHaveBeen?: Drawn | null;
};

export type DrawCheck = { ok: true } | { ok: false; problems: string[] };

export function isGenerated(published: Pick<PublishedDraw, 'source' | 'status'>): boolean {
  return published.source !== 'declared' && published.status !== 'void';
}

/**
 * Checks seed, result and booster against commitment, weights, rules and pays. For declared results checks only the
 * seed; for void draws also the would-be result. Never throws. Beacon signatures need a large library, so
 * `beaconProblems` checks them.
 */
export function verifyDraw(published: PublishedDraw): DrawCheck {
  const seed = seedFromHex(published.seed);
  if (!seed) {
    const problem = published.seed ? 'The seed is not 32 bytes in hex.' : 'The seed is not published yet.';
    return { ok: false, problems: [problem] };
  }
  const problems: string[] = [];
  if (commitment(seed) !== published.commitment) {
    problems.push('The seed does not match the commitment.');
  }
  const examined = examineSeed(published);
  problems.push(...examined.problems);
  problems.push(...resultProblems(published, examined));
  return problems.length === 0 ? { ok: true } : { ok: false, problems };
}

function resultProblems(published: PublishedDraw, { seed, problems }: ExaminedSeed): string[] {
  if (isGenerated(published)) {
    if (seed) return generationProblems(published, seed);
    return problems.length > 0 ? [] : ['Part of the seed is not published, so its result cannot be computed.'];
  }
  if (published.status !== 'void' || !seed || !published.beacons?.length) return [];
  if (!published.wouldHaveBeen)
    return ['All parts of the seed are known, but the result that the draw would have had is not published.'];
  return generationProblems({ ...published, ...published.wouldHaveBeen }, seed);
}

function generationProblems(published: PublishedDraw, seed: Uint8Array): string[] {
  const { drawId, weights } = published;
  let generated: Drawn;
  try {
    generated = generateDraw({ rules: publishedRules(published), weights, seed, drawId });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [error.message];
  }
  const problems: string[] = [];
  const { result, booster } = generated;
  if (!isSameResult(published.result, result)) {
    problems.push(`The published result differs from the one that the seed gives, ${canonicalJson(result)}.`);
  }
  if (published.booster !== booster) {
    problems.push(`The published booster differs from the one that the seed gives, ${booster}.`);
  }
  return problems;
}

export function publishedRules(published: PublishedDraw): GameRules {
  const { gameId, family, digits } = published;
  const rules = rulesFor({ gameId, family, digits });
  requireSupportedVersion(published);
  return withPays(rules, acceptedPays(parsePays(rules, published.pays)));
}

export function isSameResult(one: Result | null, other: Result | null): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

export function seedFromHex(hex: unknown): Uint8Array | null {
  return typeof hex === 'string' && /^[0-9a-fA-F]{64}$/.test(hex) ? hexToBytes(hex) : null;
}

export type DigestedTicket = {
  ticketId: string;
  drawId: string;
  lines: readonly { key: string; qty: number }[];
  stake: bigint;
};

/**
 * JSON with the stake as decimal hundredths and lines as `[key, qty]`, sorted by key (UTF-16 code units), then
 * quantity: `["T1","D1","300",[["3",1],["7",2]]]`.
 */
export function ticketText({ ticketId, drawId, lines, stake }: DigestedTicket): string {
  return JSON.stringify([ticketId, drawId, String(stake), digestedLines(lines)]);
}

export function digestedLines(lines: DigestedTicket['lines']): [string, number][] {
  return lines
    .map(({ key, qty }): [string, number] => [key, qty])
    .toSorted(([keyA, qtyA], [keyB, qtyB]) => (keyA === keyB ? qtyA - qtyB : keyA < keyB ? -1 : 1));
}

/** Returns 32 bytes, a leaf of the draw's ticket tree. */
export function ticketDigest(ticket: DigestedTicket): Uint8Array {
  return sha256(utf8ToBytes(ticketText(ticket)));
}

function checkedSeed(seed: Uint8Array): Uint8Array {
  if (seed.length !== SEED_BYTES) throw new RangeError(`A seed is ${SEED_BYTES} bytes, not ${seed.length}.`);
  return seed;
}
