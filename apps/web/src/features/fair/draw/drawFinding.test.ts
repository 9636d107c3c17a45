import { boosterOdds } from '@drawhouse/rules/fair/booster';
import { commitment, generateDraw } from '@drawhouse/rules/fair/fair';
import { examineSeed } from '@drawhouse/rules/fair/published-seed';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { describe, expect, it } from 'vitest';
import { checkDraw, plainName, resultName } from './drawFinding.ts';
import { fairTexts } from '../fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';

const game = { gameId: 'titlisorrat', family: 'numbers', digits: 12 } as const;
const rules = rulesFor(game);
const weights = boosterOdds({ baseReturn: 0.9, winPercentage: 120, max: rules.maxBooster });
const seed = new Uint8Array(32).fill(9);
const opened = {
  ...game,
  drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  closesAt: '2026-01-31T18:29:55.000Z',
  resultMode: 'open',
  manualClaims: false,
  beacons: [],
  commitment: commitment(seed),
  rulesVersion: 1,
  unitPrice: 1,
  pays: { number: 10.5 },
  weights,
  seed: '09'.repeat(32),
} as const;
const drawn = generateDraw({ rules, weights, seed: examineSeed(opened).seed!, drawId: opened.drawId });
const draw: FairDraw = {
  ...opened,
  ...drawn,
  beacons: [],
  success: true,
  gameName: 'Titli Sorrat',
  number: 1,
  status: 'settled',
  opensAt: '2026-01-31T18:29:00.000Z',
  wouldHaveBeen: null,
  undone: null,
  drawsAt: '2026-01-31T18:30:00.000Z',
  ticketRoot: '',
  tickets: 0,
  ticketsCleared: false,
  voidCause: null,
  resultLabel: 'as the server says',
  source: 'generated',
  outside: null,
  enteredBy: [],
  corrections: [],
};
const of = (changed: Partial<FairDraw>) => {
  const { kind, outcome, text } = checkDraw({ ...draw, ...changed });
  return { kind, outcome, text };
};
const none = { result: null, booster: null, resultLabel: null, source: null };

describe('the finding on a draw', () => {
  it('follows its state and source', () => {
    expect(of({})).toEqual({ kind: 'generated', outcome: 'right', text: fairTexts.right.generated });
    const declared = { kind: 'declared', outcome: 'right', text: fairTexts.right.declared };
    expect(of({ source: 'declared', result: { drawno: '3' } })).toEqual(declared);
    expect(of({ ...none, status: 'void' })).toEqual({ kind: 'void', outcome: 'right', text: fairTexts.right.void });
    const voided = of({ ...none, status: 'void', voidCause: 'operator' }).text.text;
    expect(voided).toBe(`An operator voided it. ${fairTexts.right.void.text}`);
    const unpayable = { ...none, status: 'void', voidCause: 'wins' } as const;
    expect(of(unpayable)).toEqual({ kind: 'void', outcome: 'right', text: fairTexts.unpayable });
    for (const voidCause of ['seed', 'operator'] as const)
      expect(of({ ...none, status: 'void', voidCause, seed: null })).toEqual({
        kind: 'void',
        outcome: 'none',
        text: fairTexts.unreadable,
      });
    for (const status of ['open', 'closed', 'drawn'] as const) {
      const running = checkDraw({ ...draw, ...none, seed: null, status });
      expect(running).toMatchObject({
        kind: 'running',
        outcome: 'none',
        text: fairTexts.running[status],
        examination: null,
      });
      expect(running.problems).toEqual([]);
    }
  });

  it('is wrong after any change', () => {
    const other = commitment(new Uint8Array(32));
    for (const changed of [
      { result: { drawno: 'x' } },
      { booster: 20 },
      { commitment: other },
      { seed: null },
      { seed: other },
      { weights: [] },
      { family: 'constructor' },
      { rulesVersion: 2 },
      { pays: { other: 1 } },
      { source: 'declared', commitment: other },
      { ...none, status: 'void', commitment: other },
      none,
    ] as Partial<FairDraw>[])
      expect([changed, of(changed).outcome]).toEqual([changed, 'wrong']);
  });

  it("names the result by the rules and shows the draw's pays", () => {
    const { rules: own } = checkDraw(draw);
    expect(own!.returns[0]).toMatchObject({ bet: 'number', pay: 10.5 });
    expect(resultName(draw, own)).toBe(plainName(rules, drawn.result));
    const jodi = rulesFor({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 });
    expect(plainName(jodi, { winners: { K50SILVER: '07' } })).toBe('K50 Silver 07');
    const cards = rulesFor({ gameId: 'luckycard16', family: 'numbers', digits: 16 });
    expect(plainName(cards, { drawno: '0' })).toBe('A♠');
    expect(resultName({ ...draw, result: { drawno: '77' } }, own)).toBe('as the server says');
    expect(resultName({ ...draw, ...none }, null)).toBe('–');
  });
});

it('says of a draw that an outside lottery decides, before and after its result', () => {
  const outside = { outside: 'National 19:00', resultMode: 'outside' } as const;
  expect(of({ ...outside, status: 'closed', source: null, result: null, seed: null })).toMatchObject({
    kind: 'running',
    text: { title: 'An outside lottery decides this draw' },
  });
  expect(of({ ...outside, source: 'declared' })).toMatchObject({ kind: 'outside', outcome: 'right' });
});
