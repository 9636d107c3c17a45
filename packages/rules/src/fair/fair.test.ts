import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boosterOdds } from './booster.ts';
import { BUILT_IN_GAMES, builtInGame, type BuiltInGame } from '../games/catalogue.ts';
import {
  commitment,
  generateDraw,
  ticketDigest,
  uniformFrom,
  uniformFromWords,
  verifyDraw,
  type DrawInputs,
  type PublishedDraw,
} from './fair.ts';
import { paysInUnits, paysOf } from '../games/pays.ts';
import { examineSeed } from './published-seed.ts';
import { rulesFor } from '../games/rules.ts';

const seedOf = (text: string | number): Uint8Array => createHash('sha256').update(`seed ${text}`).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const weightsFor = (max: number): number[] => boosterOdds({ baseReturn: 0.9, winPercentage: 120, max });

const DRAW_ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

function published(game: BuiltInGame, seed = seedOf(1), drawId = DRAW_ID): PublishedDraw {
  const rules = rulesFor(game);
  const weights = weightsFor(rules.maxBooster);
  const { gameId, family, digits } = game;
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
  return { ...opened, ...drawn, source: 'generated' };
}

describe('uniform choices', () => {
  it('have no modulo bias over all small words', () => {
    for (const wordValues of [16, 256]) {
      for (let n = 1; n <= wordValues; n++) {
        const counts = Array<number>(n).fill(0);
        for (let first = 0; first < wordValues; first++) {
          // A rejected word reads −1 next, an impossible value.
          const words = [first];
          const value = uniformFromWords(() => words.shift() ?? -1, wordValues)(n);
          if (value >= 0) counts[value]!++;
        }
        expect(new Set(counts)).toEqual(new Set([Math.floor(wordValues / n)]));
      }
    }
  });

  it('skip rejected words', () => {
    const words = [15, 15, 4];
    expect(uniformFromWords(() => words.shift()!, 16)(3)).toBe(1);
    expect(words).toEqual([]);
  });

  it('equal HMAC-SHA256(seed, drawId:counter) of another implementation', () => {
    const seed = seedOf('stream');
    const random = uniformFrom(seed, 'd1');
    const bytes = Buffer.concat([0, 1, 2].map((i) => createHmac('sha256', seed).update(`d1:${i}`).digest()));
    for (let word = 0; word < 24; word++) expect(random(2 ** 31)).toBe(bytes.readUInt32BE(word * 4) % 2 ** 31);
  });

  it('reject an impossible number of choices', () => {
    for (const n of [0, -1, 1.5, 2 ** 31 + 1, NaN]) expect(() => uniformFrom(seedOf(1), 'd')(n)).toThrow(RangeError);
    expect(() => uniformFrom(new Uint8Array(31), 'd')).toThrow(RangeError);
    expect(() => commitment(new Uint8Array(0))).toThrow(RangeError);
  });
});

// Statistical tests: lab/bench/measure/draw-tests.long.test.ts.
describe('generated draws', () => {
  it('pick the booster with all the weight', () => {
    const rules = rulesFor(builtInGame('funtargetbingo')!);
    const certain = [...Array<number>(19).fill(0), 1_000_000_000];
    expect(generateDraw({ rules, weights: certain, seed: seedOf(1), drawId: 'd' }).booster).toBe(20);
  });

  it('depend only on rules, weights, seed and draw id, never on stakes', () => {
    const read = new Set<string | symbol>();
    const rules = rulesFor(builtInGame('funtargetbingo')!);
    const inputs: DrawInputs = { rules, weights: weightsFor(20), seed: seedOf(1), drawId: 'd' };
    const watched = new Proxy(inputs, { get: (target, name) => (read.add(name), Reflect.get(target, name)) });
    expect(generateDraw(watched)).toEqual(generateDraw(inputs));
    expect(read).toEqual(new Set(['rules', 'weights', 'seed', 'drawId']));
    expect(generateDraw).toHaveLength(1);
  });

  it('never change, because results are published', () => {
    const draw = (gameId: string) => {
      const rules = rulesFor(builtInGame(gameId)!);
      return generateDraw({ rules, weights: weightsFor(rules.maxBooster), seed: seedOf(1), drawId: 'draw-1' });
    };
    expect(['funtargetbingo', 'roulette', 'andarbahar', 'lottery3d', 'acqOpdpL'].map(draw)).toMatchInlineSnapshot(`
      [
        {
          "booster": 2,
          "result": {
            "drawno": "8",
          },
        },
        {
          "booster": 2,
          "result": {
            "drawno": "1",
          },
        },
        {
          "booster": 1,
          "result": {
            "color": "red",
            "drawno": "2",
            "suit": "diamond",
          },
        },
        {
          "booster": 2,
          "result": {
            "drawno": "598",
          },
        },
        {
          "booster": 1,
          "result": {
            "winners": {
              "K50SILVER": "98",
              "K60GOLD": "18",
              "K70DIAMOND": "92",
            },
          },
        },
      ]
    `);
  });

  it('reject weights of another booster', () => {
    const inputs = { rules: rulesFor(builtInGame('lottery3d')!), seed: seedOf(1), drawId: 'd' };
    expect(() => generateDraw({ ...inputs, weights: weightsFor(20) })).toThrow(RangeError);
    expect(() => generateDraw({ ...inputs, weights: [1_000_000_001, -1] })).toThrow(RangeError);
    expect(() => generateDraw({ ...inputs, weights: [1, 2] })).toThrow(RangeError);
  });
});

describe('the check of a published draw', () => {
  const draw = published(builtInGame('lottery4d')!);
  const problemsOf = (changed: Partial<PublishedDraw>): string[] => {
    const check = verifyDraw({ ...draw, ...changed });
    return check.ok ? [] : check.problems;
  };

  it('passes generated draws of every game and seed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BUILT_IN_GAMES),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uuid(),
        (game, seed, drawId) => {
          const { result, ...rest } = published(game, seed, drawId);
          const stored = Object.fromEntries(Object.entries(result!).toReversed()) as typeof result;
          expect(verifyDraw({ ...rest, result: stored })).toEqual({ ok: true });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('names each problem', () => {
    expect(problemsOf({ seed: null })).toEqual(['The seed is not published yet.']);
    expect(problemsOf({ pays: { number: 0.5 } })).toEqual([
      'pays.number: Enter a pay from 1 to 10000 with at most 2 decimals.',
    ]);
    expect(problemsOf({ pays: { jodi: 90 } })).toEqual([
      'pays.jodi: The head must be number. pays.number: Enter a pay from 1 to 10000 with at most 2 decimals.',
    ]);
    expect(problemsOf({ seed: 'abc' })).toEqual(['The seed is not 32 bytes in hex.']);
    expect(problemsOf({ commitment: commitment(seedOf(2)) })).toEqual(['The seed does not match the commitment.']);
    expect(problemsOf({ booster: 3 })).toEqual([expect.stringMatching(/^The published booster differs/)]);
    expect(problemsOf({ result: { drawno: '7' } })).toEqual([expect.stringMatching(/^The published result differs/)]);
    expect(problemsOf({ seed: hex(seedOf(2)) })).toHaveLength(draw.booster === 1 ? 2 : 3);
    expect(problemsOf({ rulesVersion: 2 })).toEqual([expect.stringContaining('version 2')]);
    expect(problemsOf({ digits: 7 })).toEqual([expect.stringContaining('not 7')]);
    expect(problemsOf({ weights: [] })).toEqual([expect.stringContaining('weights')]);
    expect(problemsOf({ family: '__proto__' as never })).toHaveLength(1);
    expect(problemsOf({ commitment: undefined })).toHaveLength(1);
  });

  it('checks only the seed of declared results and void draws', () => {
    expect(problemsOf({ source: 'declared', result: { winners: { '1000': '1042' } }, booster: 2 })).toEqual([]);
    expect(problemsOf({ status: 'void', result: null, booster: null })).toEqual([]);
    expect(problemsOf({ source: 'declared', commitment: commitment(seedOf(2)) })).toHaveLength(1);
  });
});

describe('ticket digests', () => {
  const ticket = {
    ticketId: 'T1',
    drawId: 'D1',
    lines: [
      { key: '7', qty: 2 },
      { key: '3', qty: 1 },
    ],
    stake: 300n,
  };
  const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

  it('are the SHA-256 of the documented text, in any line order', () => {
    const expected = hex(sha256('["T1","D1","300",[["3",1],["7",2]]]'));
    expect(hex(ticketDigest(ticket))).toBe(expected);
    expect(hex(ticketDigest({ ...ticket, lines: ticket.lines.toReversed() }))).toBe(expected);
  });

  it('change with every field of the ticket', () => {
    const digests = [
      ticket,
      { ...ticket, ticketId: 'T2' },
      { ...ticket, drawId: 'D2' },
      { ...ticket, stake: 301n },
      { ...ticket, lines: ticket.lines.slice(1) },
    ].map((changed) => hex(ticketDigest(changed)));
    expect(new Set(digests).size).toBe(digests.length);
  });
});
