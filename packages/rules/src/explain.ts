import { bytesToHex } from '@noble/hashes/utils.js';
import {
  WORD_VALUES,
  commitment,
  drawBy,
  isGenerated,
  isSameResult,
  keptBelow,
  publishedRules,
  seedFromHex,
  seedWords,
  uniformFromWords,
  verifyDraw,
} from './fair.ts';
import type { DrawCheck, DrawInputs, Drawn, PublishedDraw, SeedWord } from './fair.ts';
import { examineSeed } from './published-seed.ts';
import type { ExaminedSeed } from './published-seed.ts';
import type { Result } from './game-rules.ts';

/** One uniform choice of a draw, with the words that it took: all but the last were thrown away. */
export type TracedChoice = {
  /** What it decides: `number`, `rank`, `suit`, a sub-series, a tier, or `booster`. */
  decides: string;
  /** Among how many values. */
  among: number;
  /** A word at or above this is thrown away. */
  keptBelow: number;
  words: readonly SeedWord[];
  /** The last word modulo `among`. */
  value: number;
  /** What the value stands for: a draw number, a suit, a booster. */
  gives: string;
};

/** A generated draw with every step that led to it. */
export type ExplainedDraw = Drawn & {
  /** The HMAC blocks that were begun, in hex, in their order. */
  blocks: readonly string[];
  /** The choices in their order; the last one is the booster's. */
  choices: readonly TracedChoice[];
};

/** Generates a draw as `generateDraw` does, by the same algorithm, and tells each word and choice on the way. Throws as it does. */
export function explainDraw({ seed, drawId, ...rest }: DrawInputs): ExplainedDraw {
  const blocks: string[] = [];
  const taken: Omit<TracedChoice, 'decides' | 'gives'>[] = [];
  const next = seedWords(seed, drawId, (bytes) => blocks.push(bytesToHex(bytes)));
  let words: SeedWord[] = [];
  const choose = uniformFromWords(() => {
    const word = next();
    words.push(word);
    return word.word;
  }, WORD_VALUES);
  const drawn = drawBy((among) => {
    words = [];
    const value = choose(among);
    taken.push({ among, keptBelow: keptBelow(among), words, value });
    return value;
  }, rest);
  const meanings = [...meaningsOf(drawn.result), { decides: 'booster', gives: String(drawn.booster) }];
  return { ...drawn, blocks, choices: taken.map((choice, index) => ({ ...choice, ...meanings[index]! })) };
}

/** What the choices of a result decide, in the order in which the rules make them. */
function meaningsOf(result: Result): Pick<TracedChoice, 'decides' | 'gives'>[] {
  if ('winners' in result) return Object.entries(result.winners).map(([decides, gives]) => ({ decides, gives }));
  if (!('suit' in result)) return [{ decides: 'number', gives: result.drawno }];
  return [
    { decides: 'rank', gives: result.drawno },
    { decides: 'suit', gives: result.suit },
  ];
}

/** The booster's choice along its weights: the running sums up to the first that is above the chosen value. */
export function boosterSums(weights: readonly number[], booster: number): { booster: number; below: number }[] {
  let below = 0;
  return weights.slice(0, booster).map((weight, index) => ({ booster: index + 1, below: (below += weight) }));
}

/** A published draw, checked step by step. */
export type Examination = {
  /** Whether all of it is right. */
  check: DrawCheck;
  /** Whether the result has to follow from the seed: not where it was declared, or the draw void. */
  generated: boolean;
  /** The SHA-256 of the published seed beside the commitment; null while no seed is published that could be one. */
  commitment: { computed: string; ok: boolean } | null;
  /** The parts of the draw's seed; null while no seed is published. */
  parts: ExaminedSeed | null;
  /** What the seed gives under the published rules and weights; null where that cannot be computed. */
  seedGives: (ExplainedDraw & { label: string }) | null;
  /** Whether the published result and booster are those; only of generated draws. */
  result: boolean | null;
  booster: boolean | null;
};

/** Checks a published draw as `verifyDraw` does, and tells what was computed at each step. Never throws. */
export function examineDraw(published: PublishedDraw): Examination {
  const check = verifyDraw(published);
  const generated = isGenerated(published);
  const seed = seedFromHex(published.seed);
  if (!seed) return { check, generated, commitment: null, parts: null, seedGives: null, result: null, booster: null };
  const computed = commitment(seed);
  const parts = examineSeed(published);
  const seedGives = parts.seed && explained(published, parts.seed);
  const compared = generated && seedGives;
  return {
    check,
    generated,
    commitment: { computed, ok: computed === published.commitment },
    parts,
    seedGives,
    result: compared ? isSameResult(published.result, compared.result) : null,
    booster: compared ? published.booster === compared.booster : null,
  };
}

function explained(published: PublishedDraw, seed: Uint8Array): Examination['seedGives'] {
  try {
    const rules = publishedRules(published);
    const trace = explainDraw({ rules, weights: published.weights, seed, drawId: published.drawId });
    return { ...trace, label: rules.resultLabel(trace.result) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
