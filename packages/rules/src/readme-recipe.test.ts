import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GAMES } from './catalogue.ts';
import type { FamilyName } from './catalogue.ts';
import { commitment, drawDigest, generateDraw, ticketDigest } from './fair.ts';
import { rulesFor } from './rules.ts';

/** What the README tells strangers, written from its lines alone: nothing of the rules is used in it. */
function recipe(
  draw: { gameId: string; family: string; digits: number; drawId: string; weights: number[] },
  seed: Buffer,
) {
  const words: number[] = [];
  let block = 0;
  const choice = (n: number): number => {
    for (;;) {
      if (words.length === 0) {
        const bytes = createHmac('sha256', seed).update(`${draw.drawId}:${block++}`).digest();
        for (let at = 0; at < 32; at += 4) words.push(bytes.readUInt32BE(at));
      }
      const word = words.shift()!;
      if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
    }
  };
  const padded = (width: number, value: number): string => String(value).padStart(width, '0');
  const fromOne = 'titlisorrat titlisoratbrown fruit12 horse12 playsmart12 luckycard12 duskadum pFvIwZHj!'.split(' ');
  const results: Record<string, () => unknown> = {
    numbers: () => ({ drawno: String(choice(draw.digits) + (fromOne.includes(draw.gameId) ? 1 : 0)) }),
    roulette: () => {
      const chosen = choice(draw.digits);
      if (draw.digits !== 38) return { drawno: String(chosen) };
      return { drawno: chosen === 0 ? '0' : chosen === 1 ? '00' : String(chosen - 1) };
    },
    triple: () => ({ drawno: padded(3, choice(1000)) }),
    lottery3d: () => ({ drawno: padded(3, choice(1000)) }),
    andarbahar: () => {
      const drawno = String(choice(13) + 1);
      const suit = choice(4);
      return {
        drawno,
        suit: ['spade', 'heart', 'diamond', 'club'][suit],
        color: ['black', 'red', 'red', 'black'][suit],
      };
    },
    lottery4d: () => {
      const starts = [1000, 3000, 5000].flatMap((series) => Array.from({ length: 10 }, (_, n) => series + 100 * n));
      return { winners: Object.fromEntries(starts.map((start) => [String(start), String(start + choice(100))])) };
    },
    jodi: () => ({
      winners: Object.fromEntries(['K50SILVER', 'K60GOLD', 'K70DIAMOND'].map((tier) => [tier, padded(2, choice(100))])),
    }),
  };
  const result = results[draw.family]!();
  const r = choice(10 ** 9);
  let sum = 0;
  const booster = draw.weights.findIndex((weight) => (sum += weight) > r) + 1;
  return { result, booster };
}

const CREATED = [
  { gameId: 'mine', family: 'numbers' as FamilyName, digits: 7 },
  { gameId: 'wide', family: 'numbers' as FamilyName, digits: 1000 },
  { gameId: 'one', family: 'numbers' as FamilyName, digits: 1 },
];

const anyWeights = (max: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat({ max: 1_000_000 }), { minLength: max - 1, maxLength: max - 1 }).map((cuts) => {
    const ordered = [0, ...cuts.map((cut) => cut * 1000).toSorted((a, b) => a - b), 1e9];
    return ordered.slice(1).map((end, index) => end - ordered[index]!);
  });

describe("the README's way to check a draw", () => {
  it.each([...BUILT_IN_GAMES, ...CREATED])('gives the draws of $gameId', ({ gameId, family, digits }) => {
    const rules = rulesFor({ gameId, family, digits });
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uuid(),
        anyWeights(rules.maxBooster),
        (seed, drawId, weights) => {
          expect(recipe({ gameId, family, digits, drawId, weights }, Buffer.from(seed))).toEqual(
            generateDraw({ rules, weights, seed, drawId }),
          );
          expect(createHash('sha256').update(seed).digest('hex')).toBe(commitment(seed));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('gives the digests of tickets', () => {
    const lines = [
      { key: 'K60GOLD|jodi:42', qty: 2 },
      { key: '7', qty: 3 },
      { key: '7', qty: 1 },
    ];
    const text = '["t1","d1","600",[["7",1],["7",3],["K60GOLD|jodi:42",2]]]';
    const digest = createHash('sha256').update(text).digest();
    expect(Buffer.from(ticketDigest({ ticketId: 't1', drawId: 'd1', stake: 600n, lines }))).toEqual(digest);
    const all = createHash('sha256').update(digest).update(digest).digest('hex');
    expect(drawDigest([digest, digest])).toBe(all);
  });

  it('names every game that counts from 1', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const row = readme.split('\n').find((line) => line.startsWith('| `numbers`'))!;
    for (const { gameId, family, first } of BUILT_IN_GAMES)
      if (family === 'numbers') expect([gameId, row.includes(gameId)]).toEqual([gameId, first === 1]);
  });
});
