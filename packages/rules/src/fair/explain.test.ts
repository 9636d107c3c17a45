import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boosterOdds } from './booster.ts';
import { BUILT_IN_GAMES, builtInGame } from '../games/catalogue.ts';
import { boosterSums, examineDraw, explainDraw } from './explain.ts';
import { commitment, generateDraw, verifyDraw, type PublishedDraw } from './fair.ts';
import { paysInUnits, paysOf } from '../games/pays.ts';
import { examineSeed } from './published-seed.ts';
import { rulesFor } from '../games/rules.ts';

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function inputsOf(gameId: string, seed: Uint8Array, drawId: string) {
  const rules = rulesFor(builtInGame(gameId)!);
  return { rules, weights: boosterOdds({ baseReturn: 0.9, winPercentage: 120, max: rules.maxBooster }), seed, drawId };
}

describe('the explanation of a draw', () => {
  it('leads to the generated draw, for every game and seed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...BUILT_IN_GAMES), seeds, fc.string(), ({ gameId }, seed, drawId) => {
        const inputs = inputsOf(gameId, seed, drawId);
        const { result, booster, blocks, choices } = explainDraw(inputs);
        expect({ result, booster }).toEqual(generateDraw(inputs));
        const stream = choices.flatMap(({ words }) => words);
        for (const [index, { block, position, word }] of stream.entries()) {
          expect(block * 8 + position).toBe(index);
          expect(word).toBe(Buffer.from(blocks[block]!, 'hex').readUInt32BE(position * 4));
        }
        expect(blocks).toHaveLength(Math.ceil(stream.length / 8));
        for (const { among, rejectionBound, words, value } of choices) {
          const kept = words.at(-1)!.word;
          expect(words.filter(({ word }) => word < rejectionBound).map(({ word }) => word)).toEqual([kept]);
          expect(value).toBe(kept % among);
        }
        for (const [position, { value, gives }] of choices.slice(0, -1).entries())
          expect(gives).toBe(inputs.rules.choices[position]![value]![0]!.drawno);
        expect(choices.at(-1)).toMatchObject({ decides: 'booster', among: 1e9, gives: String(booster) });
        const sums = boosterSums(inputs.weights, booster);
        expect(sums.at(-1)!.below).toBeGreaterThan(choices.at(-1)!.value);
        expect(sums.at(-2)?.below ?? 0).toBeLessThanOrEqual(choices.at(-1)!.value);
      }),
      { numRuns: 200 },
    );
  });

  it('names what each choice decides', () => {
    const decides = (gameId: string) => {
      const { choices } = explainDraw(inputsOf(gameId, new Uint8Array(32), 'd'));
      return choices.map((choice) => `${choice.decides}/${choice.among}`);
    };
    expect(decides('titlisorrat')).toEqual(['number/12', 'booster/1000000000']);
    expect(decides('andarbahar')).toEqual(['rank/13', 'suit/4', 'booster/1000000000']);
    expect(decides('acqOpdpL')).toEqual(['K50SILVER/100', 'K60GOLD/100', 'K70DIAMOND/100', 'booster/1000000000']);
    expect(decides('lottery4d')).toHaveLength(31);
    expect(decides('lottery4d').slice(9, 11)).toEqual(['1900/100', '3000/100']);
  });
});

describe('the examination of a published draw', () => {
  const seed = new Uint8Array(32).fill(3);
  const { gameId, family, digits } = builtInGame('roulette')!;
  const drawId = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
  const { rules, weights } = inputsOf(gameId, seed, drawId);
  const opened = {
    drawId,
    gameId,
    family,
    digits,
    rulesVersion: 1,
    weights,
    pays: paysInUnits(paysOf(rules)),
    unitPrice: 1,
    resultMode: 'open',
    manualClaims: false,
    closesAt: '2026-01-31T18:29:55.000Z',
    commitment: commitment(seed),
    seed: hex(seed),
  };
  const drawn = generateDraw({ rules, weights, seed: examineSeed(opened).seed!, drawId });
  const draw: PublishedDraw = {
    ...opened,
    ...drawn,
    source: 'generated',
    status: 'settled',
  };
  const examine = (changed: Partial<PublishedDraw> = {}) => {
    const examination = examineDraw({ ...draw, ...changed });
    expect(examination.check).toEqual(verifyDraw({ ...draw, ...changed }));
    const { check, generated, commitment: committed, seedGives, result, booster } = examination;
    return { ok: check.ok, generated, seed: committed?.ok ?? null, gives: seedGives?.label, result, booster };
  };
  const gives = rules.resultLabel(drawn.result);

  it('ticks or crosses each step', () => {
    const right = { ok: true, generated: true, seed: true, gives, result: true, booster: true };
    expect(examine()).toEqual(right);
    expect(examine({ result: { drawno: '00' } })).toEqual({ ...right, ok: false, result: false });
    expect(examine({ booster: drawn.booster + 1 })).toEqual({ ...right, ok: false, booster: false });
    expect(examine({ commitment: commitment(new Uint8Array(32)) })).toEqual({ ...right, ok: false, seed: false });
  });

  it('skips the comparison without a result or with another one', () => {
    const declared = { ok: true, generated: false, seed: true, gives, result: null, booster: null };
    expect(examine({ source: 'declared', result: { drawno: '00' } })).toEqual(declared);
    expect(examine({ status: 'void', source: null, result: null, booster: null })).toEqual(declared);
    const none = { ok: false, generated: true, seed: null, gives: undefined, result: null, booster: null };
    expect(examine({ seed: null, result: null, booster: null })).toEqual(none);
    expect(examine({ rulesVersion: 9 })).toEqual({ ...none, seed: true });
    expect(examine({ weights: [1] })).toEqual({ ...none, seed: true });
  });
});
