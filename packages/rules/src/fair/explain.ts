import { bytesToHex } from '@noble/hashes/utils.js';
import {
  WORD_VALUES,
  commitment,
  drawBy,
  isGenerated,
  isSameResult,
  rejectionBound,
  publishedRules,
  seedFromHex,
  seedWords,
  uniformFromWords,
  verifyDraw,
  type DrawCheck,
  type DrawInputs,
  type Drawn,
  type PublishedDraw,
  type SeedWord,
} from './fair.ts';
import { examineSeed, type ExaminedSeed } from './published-seed.ts';
import type { Result } from '../games/game-rules.ts';

/** All words but the last were rejected. */
export type TracedChoice = {
  /** `number`, `rank`, `suit`, a sub-series, a tier, or `booster`. */
  decides: string;
  among: number;
  rejectionBound: number;
  words: readonly SeedWord[];
  value: number;
  gives: string;
};

export type ExplainedDraw = Drawn & {
  blocks: readonly string[];
  /** The booster comes last. */
  choices: readonly TracedChoice[];
};

/** Repeats `generateDraw`, recording each step. */
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
    taken.push({ among, rejectionBound: rejectionBound(among), words, value });
    return value;
  }, rest);
  const meanings = [...meaningsOf(drawn.result), { decides: 'booster', gives: String(drawn.booster) }];
  return { ...drawn, blocks, choices: taken.map((choice, index) => ({ ...choice, ...meanings[index]! })) };
}

function meaningsOf(result: Result): Pick<TracedChoice, 'decides' | 'gives'>[] {
  if ('winners' in result) return Object.entries(result.winners).map(([decides, gives]) => ({ decides, gives }));
  if (!('suit' in result)) return [{ decides: 'number', gives: result.drawno }];
  return [
    { decides: 'rank', gives: result.drawno },
    { decides: 'suit', gives: result.suit },
  ];
}

export function boosterSums(weights: readonly number[], booster: number): { booster: number; below: number }[] {
  let below = 0;
  return weights.slice(0, booster).map((weight, index) => ({ booster: index + 1, below: (below += weight) }));
}

export type Examination = {
  check: DrawCheck;
  /** False for declared results and void draws. */
  generated: boolean;
  /** SHA-256 of the published seed against the commitment. Null until a valid seed is published. */
  commitment: { computed: string; ok: boolean } | null;
  parts: ExaminedSeed | null;
  /** Recomputed from seed, rules and weights. Null if impossible. */
  seedGives: (ExplainedDraw & { label: string }) | null;
  /** Published result against the recomputed one. Null unless generated. */
  result: boolean | null;
  booster: boolean | null;
};

/** Works like `verifyDraw`, but keeps each step. Never throws. */
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
