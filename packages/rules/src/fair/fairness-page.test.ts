import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUICKNET } from './beacon-rounds.ts';
import { boosterOdds } from './booster.ts';
import { BUILT_IN_GAMES, FAMILIES, type FamilyName } from '../games/catalogue.ts';
import { explainDraw } from './explain.ts';
import { commitment, generateDraw, ticketDigest, verifyDraw, type PublishedDraw } from './fair.ts';
import { ROULETTE_SIZES, wheelBets } from '../games/families/roulette.ts';
import { rulesFor } from '../games/rules.ts';
import { leafNode, treeRoot } from './tree/merkle.ts';
import { paysInUnits, paysOf } from '../games/pays.ts';
import { examineSeed } from './published-seed.ts';
import { examineReceipt, readDigests, readReceipt, type SealedTickets, type TicketReceipt } from './tree/receipt.ts';
import { beaconProblems } from './beacon-signature.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const page = readFileSync(fileOf('docs/fairness.md'), 'utf8');

type KnownDraw = Parameters<typeof recipe>[0] & {
  family: FamilyName;
  drawSeed: string;
  words: number[];
  result: unknown;
  booster: number;
};
const vectors = JSON.parse(readFileSync(fileOf('docs/fairness-vectors.json'), 'utf8')) as {
  results: KnownDraw[];
  draws: (KnownDraw & PublishedDraw & { rulesText?: string; rulesHash: string })[];
  tickets: { draw: SealedTickets & { digests: string[] }; receipts: TicketReceipt[]; steps: string[] };
};
const whole = vectors.draws;
const known = [...vectors.results, ...whole];
const { draw: sealed, receipts, steps: knownSteps } = vectors.tickets;

/** Performs the check as the page describes it, without the rules package. Adds consumed words to `taken`. */
function recipe(
  draw: { gameId: string; family: string; digits: number; drawId: string; weights: readonly number[] },
  seed: Buffer,
  taken: number[] = [],
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
      taken.push(word);
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

describe('the documented check of a draw', () => {
  it.each([...BUILT_IN_GAMES, ...CREATED])('reproduces draws of $gameId', ({ gameId, family, digits }) => {
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

  it('reproduces ticket digests', () => {
    const lines = [
      { key: 'K60GOLD|jodi:42', qty: 2 },
      { key: '7', qty: 3 },
      { key: '7', qty: 1 },
    ];
    const text = '["t1","d1","600",[["7",1],["7",3],["K60GOLD|jodi:42",2]]]';
    const digest = createHash('sha256').update(text).digest();
    expect(Buffer.from(ticketDigest({ ticketId: 't1', drawId: 'd1', stake: 600n, lines }))).toEqual(digest);
  });

  it('names every game that counts from 1', () => {
    const paragraph = /\*\*Games that count from 1\*\*[^]*?\n\n/.exec(page)![0];
    for (const { gameId, family, first } of BUILT_IN_GAMES)
      if (family === 'numbers') expect([gameId, paragraph.includes(`\`${gameId}\``)]).toEqual([gameId, first === 1]);
  });

  it("gives every key of a wheel's bets", () => {
    const bets = wheelBets(rulesFor({ gameId: 'gkroulette', family: 'roulette', digits: 37 }));
    for (const [kind, own] of Map.groupBy(bets, (bet) => bet.kind)) {
      const named = own.filter(({ key }) => page.includes(`\`${key}\``));
      expect({ kind, named: named.length > 0 }).toEqual({ kind, named: true });
      if (kind === 'chance') expect(named).toEqual(own);
    }
  });

  it('includes a digest example', () => {
    const [, text] = /`(\["01a1f0c2[^`]*)`/.exec(page)!;
    const [ticketId, drawId, stake, lines] = JSON.parse(text!) as [string, string, string, [string, number][]];
    const ticket = { ticketId, drawId, stake: BigInt(stake), lines: lines.map(([key, qty]) => ({ key, qty })) };
    const digest = ticketDigest(ticket);
    expect(page).toContain(`\`${Buffer.from(digest).toString('hex')}\``);
    expect(page).toContain(`\`${Buffer.from(treeRoot([])).toString('hex')}\``);
  });

  it('is linked in the README', () => {
    expect(readFileSync(fileOf('README.md'), 'utf8')).toContain('](docs/fairness.md)');
  });
});

/** Pays never affect results. */
const gameRules = ({ gameId, family, digits }: KnownDraw) => rulesFor({ gameId, family, digits });

describe('the test vectors', () => {
  it.each(known)('are correct: $gameId, $result', (draw) => {
    const seed = Buffer.from(draw.drawSeed, 'hex');
    const rules = gameRules(draw);
    const { result, booster, choices } = explainDraw({ rules, weights: draw.weights, seed, drawId: draw.drawId });
    expect({ result, booster }).toEqual({ result: draw.result, booster: draw.booster });
    expect(choices.flatMap(({ words }) => words.map(({ word }) => word))).toEqual(draw.words);
    expect(recipe(draw, seed)).toEqual({ result, booster });
  });

  it('cover every family and wheel size, with rejected words for results and boosters', () => {
    expect(new Set(known.map(({ family }) => family))).toEqual(new Set(FAMILIES));
    const wheels = known.filter(({ family }) => family === 'roulette').map(({ digits }) => digits);
    expect(wheels.toSorted((a, b) => a - b)).toEqual(ROULETTE_SIZES);
    expect(known.map(({ result }) => result)).toContainEqual({ drawno: '00' });
    const thrownAway = known.map((draw) => {
      const { choices } = explainDraw({ ...draw, rules: gameRules(draw), seed: Buffer.from(draw.drawSeed, 'hex') });
      return choices.filter(({ words }) => words.length > 1).map(({ decides }) => decides);
    });
    expect(new Set(thrownAway.flat())).toEqual(new Set(['number', 'booster']));
  });
});

function seedByRecipe(draw: PublishedDraw): string {
  const sha256 = (...parts: (Buffer | string)[]): Buffer =>
    createHash('sha256')
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest();
  const bytes = (hex: string | null): Buffer => Buffer.from(hex!, 'hex');
  const { digits, family, gameId, manualClaims, resultMode, rulesVersion, weights, beacons = [] } = draw;
  const sorted = (fields: object): object =>
    Object.fromEntries(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const rules = {
    ...(beacons.length > 0 && {
      beacons: beacons.map(({ genesisTime, period, publicKey }) => ({ genesisTime, period, publicKey })),
    }),
    digits,
    family,
    gameId,
    manualClaims,
    pays: sorted(Object.fromEntries(Object.entries(draw.pays).map(([head, pay]) => [head, Math.round(pay * 100)]))),
    resultMode,
    rulesVersion,
    unitPrice: String(Math.round(draw.unitPrice * 100)),
    weights,
  };
  return sha256(
    'drawhouse draw seed v1\n',
    bytes(draw.drawId.replaceAll('-', '')),
    sha256(`rules:${JSON.stringify(rules)}`),
    bytes(draw.seed),
    ...beacons.flatMap(({ round, signature }) => {
      const number = Buffer.alloc(8);
      number.writeBigUInt64BE(BigInt(round));
      return [number, sha256(bytes(signature))];
    }),
  ).toString('hex');
}

describe('known whole draws', () => {
  it.each(whole)('are correct: $result', (draw) => {
    const { rules, seed } = examineSeed(draw);
    expect(rules!.hash).toBe(draw.rulesHash);
    expect(Buffer.from(seed!).toString('hex')).toBe(draw.drawSeed);
    expect(seedByRecipe(draw)).toBe(draw.drawSeed);
    expect(verifyDraw(draw)).toEqual({ ok: true });
  });

  it("include one without a beacon and one with drand, with the rules' text", () => {
    expect(whole.map(({ beacons = [] }) => beacons.length)).toEqual([0, 1]);
    for (const { beacons } of whole) expect(beaconProblems(beacons)).toEqual([]);
    expect(whole[1]!.beacons![0]!.publicKey).toBe(QUICKNET.publicKey);
    const { rulesText, rulesHash } = whole[0]!;
    expect(createHash('sha256').update(rulesText!).digest('hex')).toBe(rulesHash);
  });

  it('pass the script, which names what it skips', () => {
    const lines = checkByScript(whole, ': correct: which this script does not check');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toContain(': correct:');
    expect(lines[1]).toContain('which this script does not check');
    const wrong = whole.slice(1).flatMap(({ words: _, ...draw }) => [
      { ...draw, beacons: [{ ...draw.beacons![0]!, round: 1001 }] },
      { ...draw, closesAt: '2023-08-23T15:59:21.001Z' },
      { ...draw, beacons: [{ ...draw.beacons![0]!, signature: draw.beacons![0]!.publicKey.slice(96) }] },
      { ...draw, beacons: [] },
    ]);
    for (const line of checkByScript(wrong, ': WRONG:')) expect(line).toContain(': WRONG:');
    for (const draw of wrong) {
      const check = verifyDraw(draw);
      expect(check.ok && beaconProblems(draw.beacons).length === 0 && examineSeed(draw as never).seed).toBe(false);
    }
  });
});

/** Without Python, uses the implementation above. */
function checkByScript(draws: readonly PublishedDraw[], otherwise?: string): string[] {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { error, stdout, stderr } = spawnSync('python3', [fileOf('docs/check_draw.py')], {
    input: JSON.stringify(draws),
    encoding: 'utf8',
    env,
  });
  if (!error) {
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  }
  expect((error as NodeJS.ErrnoException).code).toBe('ENOENT');
  if (otherwise !== undefined) return draws.map(() => otherwise);
  return draws.map((draw) => {
    const seed = Buffer.from(draw.seed!, 'hex');
    const isCommitted = createHash('sha256').update(seed).digest('hex') === draw.commitment;
    const isGenerated = draw.source === 'generated' && draw.status === 'settled';
    const { result, booster } = draw;
    const taken: number[] = [];
    const gives = isGenerated ? recipe(draw, Buffer.from(seedByRecipe(draw), 'hex'), taken) : { result, booster };
    const { words = taken } = draw as { words?: number[] };
    const isRight =
      isCommitted && isDeepStrictEqual(gives, { result, booster }) && (!isGenerated || isDeepStrictEqual(taken, words));
    return `${draw.drawId}: ${isRight ? (isGenerated ? 'correct:' : 'the seed is correct;') : 'WRONG:'}`;
  });
}

describe('an independent check written from the page', () => {
  const GAMES = [
    ...Map.groupBy(BUILT_IN_GAMES, ({ family, digits, first }) => `${family} ${digits} ${first}`).values(),
  ];
  const made = GAMES.map((games) => games[0]!).flatMap(({ gameId, family, digits }) =>
    Array.from({ length: 100 }, (_, index) => {
      const rules = rulesFor({ gameId, family, digits });
      const weights = boosterOdds({ baseReturn: 0.9, winPercentage: 95 + index, max: rules.maxBooster });
      const seed = createHash('sha256').update(`${gameId} ${index}`).digest();
      const drawId = `0190b5a2-8f4c-7c3e-9d5b-${String(index).padStart(12, '0')}`;
      const opened = {
        drawId,
        gameId,
        family,
        digits,
        rulesVersion: 1,
        weights,
        pays: paysInUnits(paysOf(rules)),
        unitPrice: 1.5,
        resultMode: 'open',
        manualClaims: false,
        closesAt: '2026-01-31T18:29:55.000Z',
        seed: seed.toString('hex'),
        commitment: commitment(seed),
      };
      const { result, booster, choices } = explainDraw({ rules, weights, seed: examineSeed(opened).seed!, drawId });
      const words = choices.flatMap((choice) => choice.words.map(({ word }) => word));
      return { ...opened, source: 'generated' as const, status: 'settled', result, booster, words };
    }),
  );

  it('agrees on a hundred draws of each family and size', () => {
    expect(new Set(made.map(({ family }) => family))).toEqual(new Set(FAMILIES));
    const lines = checkByScript(made);
    expect(lines).toHaveLength(made.length);
    expect(lines.filter((line) => !line.includes(': correct:'))).toEqual([]);
  });

  it('detects every changed draw and accepts declared and void ones', () => {
    const some = made.filter((_, index) => index % 50 === 0);
    const changed = some.flatMap((draw) => [
      { ...draw, booster: draw.booster + 1 },
      { ...draw, result: 'winners' in draw.result ? { winners: {} } : { ...draw.result, drawno: 'none' } },
      { ...draw, commitment: createHash('sha256').update('another').digest('hex') },
      { ...draw, drawId: draw.drawId.replace('0190', '0191') },
    ]);
    expect(checkByScript(changed).filter((line) => !line.includes(': WRONG:'))).toEqual([]);
    const unbound = some.flatMap((draw) => [
      { ...draw, source: 'declared' as const, booster: draw.booster + 1 },
      { ...draw, status: 'void' },
    ]);
    expect(checkByScript(unbound).filter((line) => !line.includes(': the seed is correct;'))).toEqual([]);
  });
});

function askScript(
  draw: object,
  option: '--ticket' | '--digests',
  content: unknown,
): { output: string; status: number | null } | null {
  const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
  writeFileSync(join(folder, 'content.json'), JSON.stringify(content));
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const args = [fileOf('docs/check_draw.py'), option, join(folder, 'content.json')];
  const { error, stdout, stderr, status } = spawnSync('python3', args, {
    input: JSON.stringify(draw),
    encoding: 'utf8',
    env,
  });
  rmSync(folder, { recursive: true });
  if (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOENT');
    return null;
  }
  expect(stderr).toBe('');
  return { output: stdout, status };
}

describe('the ticket tree of the vectors', () => {
  const digests = readDigests(sealed.digests);

  it('has known root and paths', () => {
    expect(Buffer.from(treeRoot(digests)).toString('hex')).toBe(sealed.ticketRoot);
    expect(digests).toHaveLength(sealed.tickets!);
    expect(receipts.map(({ index }) => index)).toEqual([2, 4]);
    for (const receipt of receipts) {
      expect(receipt.digest).toBe(sealed.digests[receipt.index!]);
      expect(examineReceipt(readReceipt(receipt), sealed)).toMatchObject({ outcome: 'in', root: sealed.ticketRoot });
    }
  });

  it('lists every number from the third ticket to the root', () => {
    const { steps } = examineReceipt(receipts[0]!, sealed);
    expect(steps!.map(({ isLeft }) => isLeft)).toEqual([false, true, false]);
    const leaf = Buffer.from(leafNode(digests[2]!)).toString('hex');
    expect([leaf, ...steps!.map(({ parent }) => parent)]).toEqual(knownSteps);
  });

  it('matches the independent check', () => {
    const empty = { drawId: sealed.drawId, ticketRoot: Buffer.from(treeRoot([])).toString('hex'), tickets: 0 };
    for (const [draw, list] of [
      [sealed, sealed.digests],
      [empty, []],
    ] as const)
      expect(askScript(draw, '--digests', list)?.status ?? 0).toBe(0);
    expect(askScript(sealed, '--digests', sealed.digests.toReversed())?.status ?? 1).toBe(1);
    expect(askScript(sealed, '--digests', sealed.digests.slice(1))?.status ?? 1).toBe(1);

    const right = askScript(sealed, '--ticket', receipts);
    expect(right?.output.match(/: correct: it was in the draw/g)?.length ?? 2).toBe(2);
    expect(right?.status ?? 0).toBe(0);
    const changed = receipts.flatMap((receipt) => [
      { ...receipt, stake: '1' },
      { ...receipt, lines: receipt.lines.slice(1) },
      { ...receipt, index: receipt.index! - 1 },
      { ...receipt, index: 5 },
      { ...receipt, size: 6 },
      { ...receipt, path: receipt.path!.slice(1) },
      { ...receipt, path: [...receipt.path!, receipt.path![0]!] },
      { ...receipt, drawId: receipt._id },
    ]);
    for (const receipt of changed) expect(examineReceipt(receipt, sealed).outcome).toBe('wrong');
    const wrong = askScript(sealed, '--ticket', changed);
    expect(wrong?.output.match(/: WRONG: /g)?.length ?? changed.length).toBe(changed.length);
    expect(wrong?.status ?? 1).toBe(1);

    const early = { ...receipts[0]!, index: null, size: null, path: null };
    for (const [draw, receipt] of [
      [sealed, early],
      [{ ...sealed, ticketRoot: null, tickets: null }, early],
      [sealed, {}],
    ] as const)
      expect(askScript(draw, '--ticket', receipt)?.status ?? 2).toBe(2);
  });
});
