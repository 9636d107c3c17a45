import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { BOOSTER_WEIGHT_SUM, isBoosterWeights } from './booster.ts';
import type { GameRules, Result, Uniform } from './game-rules.ts';
import { acceptedPays, parsePays, withPays } from './pays.ts';
import { examineSeed, requireKnownVersion } from './published-seed.ts';
import type { ExaminedSeed, PublishedSeed } from './published-seed.ts';
import { rulesFor } from './rules.ts';

const SEED_BYTES = 32;
/** How many values a word has. */
export const WORD_VALUES = 2 ** 32;
const WORD_BYTES = 4;
const MAX_CHOICES = 2 ** 31;

/** The commitment to a seed: the SHA-256 of its 32 bytes, in lower-case hex. Throws RangeError for another length. */
export function commitment(seed: Uint8Array): string {
  return bytesToHex(sha256(checkedSeed(seed)));
}

/** One word of the stream that a seed fixes for a draw, and where it stands in it. */
export type SeedWord = {
  /** Which block it is of, from 0. */
  block: number;
  /** Which of the block's eight words it is, from 0. */
  place: number;
  /** Its value, 0 to 2^32 − 1. */
  word: number;
};

/**
 * The words that a seed fixes for a draw (domain, section 4), each call the next. Block i is HMAC-SHA256(seed, `drawId:i`) for i = 0,
 * 1 …, read as eight 32-bit big-endian words. `onBlock` is given the 32 bytes of each block as it is begun. Throws RangeError for a
 * seed that is not 32 bytes.
 */
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
    const place = offset / WORD_BYTES;
    offset += WORD_BYTES;
    return { block, place, word: bytes.getUint32(place * WORD_BYTES) };
  };
}

/** The uniform choices that a seed fixes for a draw: each takes the next of its words as `uniformFromWords` says. */
export function uniformFrom(seed: Uint8Array, drawId: string): Uniform {
  const next = seedWords(seed, drawId);
  return uniformFromWords(() => next().word, WORD_VALUES);
}

/**
 * Uniform choices by rejection sampling from words that are uniform in 0 .. wordValues − 1: a word at or above the largest multiple
 * of n is thrown away and the next one taken, so that word mod n has no bias. A choice of 1 takes a word too. The choice
 * throws RangeError unless n is an integer from 1 to 2^31 and no larger than wordValues.
 */
export function uniformFromWords(nextWord: () => number, wordValues: number): Uniform {
  return (n) => {
    if (!Number.isInteger(n) || n < 1 || n > Math.min(MAX_CHOICES, wordValues)) {
      throw new RangeError(`A uniform choice is among 1 to 2^31 values, not ${n}.`);
    }
    const limit = keptBelow(n, wordValues);
    let word = nextWord();
    while (word >= limit) word = nextWord();
    return word % n;
  };
}

/** The largest multiple of n among the values of a word: a choice among n throws a word at or above it away. */
export function keptBelow(n: number, wordValues: number = WORD_VALUES): number {
  return wordValues - (wordValues % n);
}

/** All that a generated draw depends on. There is no stake, ticket or earlier payout among it. */
export type DrawInputs = {
  rules: GameRules;
  /** Weights of the booster 1, 2 …, summing to 10^9. */
  weights: readonly number[];
  seed: Uint8Array;
  drawId: string;
};

/** What a draw came to. */
export type Drawn = { result: Result; booster: number };

/**
 * Generates a draw: first the result from the seed's uniform choices, then the booster by one choice of 10^9 along the weights.
 * Throws RangeError for weights that do not fit the rules, or a seed that is not 32 bytes.
 */
export function generateDraw({ rules, weights, seed, drawId }: DrawInputs): Drawn {
  return drawBy(uniformFrom(seed, drawId), { rules, weights });
}

/** Draws by these uniform choices: the one algorithm behind `generateDraw` and its explanation. Throws as `generateDraw` does. */
export function drawBy(random: Uniform, { rules, weights }: Pick<DrawInputs, 'rules' | 'weights'>): Drawn {
  if (!isBoosterWeights(weights, rules.maxBooster)) {
    throw new RangeError(`The weights must be ${rules.maxBooster} integers that sum to 10^9.`);
  }
  const result = rules.draw(random);
  let rest = random(BOOSTER_WEIGHT_SUM);
  const booster = weights.findIndex((weight) => (rest -= weight) < 0) + 1;
  return { result, booster };
}

/** What is published of a draw, as far as the check needs it. `seed` is null until the draw is settled. */
export type PublishedDraw = PublishedSeed & {
  result: Result | null;
  booster: number | null;
  /** How the result came about; left out counts as generated. */
  source?: 'generated' | 'declared' | null;
  /** The state of the draw; a void draw has no result to check. */
  status?: string;
  /** Of a void draw with beacons, once all parts of its seed are known: the result that it would have had. */
  wouldHaveBeen?: Drawn | null;
};

/** What checking a published draw gives; each problem is a sentence. */
export type DrawCheck = { ok: true } | { ok: false; problems: string[] };

/** Whether the result of a published draw was generated from its seed, rather than declared by an operator or void. */
export function isGenerated(published: Pick<PublishedDraw, 'source' | 'status'>): boolean {
  return published.source !== 'declared' && published.status !== 'void';
}

/**
 * Checks a published draw: its seed is the one committed to and gives the published result and booster under the published weights and rules,
 * which the published pays must fit. Of a declared result only the seed is checked: nothing else follows from it; of a void draw also the
 * result that it says it would have had. Never throws: each invalid value is a problem that it names. The signatures of beacons are checked
 * apart (`beaconProblems`), since that takes a large library.
 */
export function verifyDraw(published: PublishedDraw): DrawCheck {
  const seed = seedFromHex(published.seed);
  if (!seed) {
    const problem = published.seed ? 'The seed is not 32 bytes in hex.' : 'The seed is not published yet.';
    return { ok: false, problems: [problem] };
  }
  const problems: string[] = [];
  if (commitment(seed) !== published.commitment) {
    problems.push('The seed is not the one that was committed to.');
  }
  const examined = examineSeed(published);
  problems.push(...examined.problems);
  problems.push(...resultProblems(published, examined));
  return problems.length === 0 ? { ok: true } : { ok: false, problems };
}

function resultProblems(published: PublishedDraw, { seed, problems }: ExaminedSeed): string[] {
  if (isGenerated(published)) {
    if (seed) return generationProblems(published, seed);
    return problems.length > 0 ? [] : ['A part of the seed is not published, so nobody can tell what it gives.'];
  }
  if (published.status !== 'void' || !seed || !published.beacons?.length) return [];
  if (!published.wouldHaveBeen) return ['All parts of its seed are known, but not the result that it would have had.'];
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
    problems.push(`The published result is not the one that the seed gives, ${canonicalJson(result)}.`);
  }
  if (published.booster !== booster) {
    problems.push(`The published booster is not the one that the seed gives, ${booster}.`);
  }
  return problems;
}

/**
 * The rules that a published draw was drawn by, with the pays that it was opened with. Throws RangeError for a game that cannot be, for
 * another version of the rules, and for pays that are not those of its heads.
 */
export function publishedRules(published: PublishedDraw): GameRules {
  const { gameId, family, digits } = published;
  const rules = rulesFor({ gameId, family, digits });
  requireKnownVersion(published);
  return withPays(rules, acceptedPays(parsePays(rules, published.pays)));
}

/** Whether two results say the same, in whatever order their fields come. */
export function isSameResult(one: Result | null, other: Result | null): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The 32 bytes of a seed from its hex; null where it is none. */
export function seedFromHex(hex: unknown): Uint8Array | null {
  return typeof hex === 'string' && /^[0-9a-fA-F]{64}$/.test(hex) ? hexToBytes(hex) : null;
}

/** What a ticket's digest covers. */
export type DigestedTicket = {
  ticketId: string;
  drawId: string;
  /** Bet keys and quantities, in any order. */
  lines: readonly { key: string; qty: number }[];
  /** The whole stake in hundredths of a point. */
  stake: bigint;
};

/**
 * The text that a ticket's digest is of: `JSON.stringify([ticketId, drawId, stake, lines])`, where stake is the decimal text of the
 * hundredths and lines are `[key, qty]` sorted by key (by UTF-16 code units), then by quantity. E.g. `["T1","D1","300",[["3",1],["7",2]]]`.
 */
export function ticketText({ ticketId, drawId, lines, stake }: DigestedTicket): string {
  return JSON.stringify([ticketId, drawId, String(stake), digestedLines(lines)]);
}

/** The lines of a ticket as its digest covers them: bet key and quantity of each, in order. */
export function digestedLines(lines: DigestedTicket['lines']): [string, number][] {
  return lines
    .map(({ key, qty }): [string, number] => [key, qty])
    .toSorted(([keyA, qtyA], [keyB, qtyB]) => (keyA === keyB ? qtyA - qtyB : keyA < keyB ? -1 : 1));
}

/** The digest of a ticket, 32 bytes: the SHA-256 of its text in UTF-8. It is a leaf of the draw's ticket tree. */
export function ticketDigest(ticket: DigestedTicket): Uint8Array {
  return sha256(utf8ToBytes(ticketText(ticket)));
}

function checkedSeed(seed: Uint8Array): Uint8Array {
  if (seed.length !== SEED_BYTES) throw new RangeError(`A seed is ${SEED_BYTES} bytes, not ${seed.length}.`);
  return seed;
}

/** JSON with the keys of objects in order: databases and engines keep them in orders of their own. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
