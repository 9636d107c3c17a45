import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/primitives';
import { layoutOf, layoutTabs } from '@drawhouse/rules/panel/layout';
import { rulesFor, type GameIdentity } from '@drawhouse/rules/games/rules';
import { winHundredths } from '@drawhouse/rules/games/wins';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutoffOf,
  inOrder,
  readMargin,
  sectionFigures,
  tierNet,
  toggledOrder,
  winnersByTab,
  winnersConsequence,
} from './groupMath.ts';

const LOTTERY_4D: GameIdentity = { gameId: 'lottery4d', family: 'lottery4d', digits: 3000 };
const JODI: GameIdentity = { gameId: 'acqOpdpL', family: 'jodi', digits: 300 };

function panelOf(game: GameIdentity, stakes: Record<string, number>): Panel {
  const rules = rulesFor(game);
  const data = rules.outcomes.map((outcome): PanelRow => {
    const bets = rules.outcomeBets(outcome).map((bet) => ({ ...bet, stake: hundredthsOf(stakes[bet.key] ?? 0)! }));
    return {
      drawno: outcome.drawno,
      label: outcome.label,
      color: null,
      image: null,
      sum: pointsOf(bets.reduce((sum, { stake }) => sum + stake, 0n)),
      pays: pointsOf(
        bets.reduce(
          (sum, { stake, payHundredths }) =>
            sum + winHundredths({ unitPrice: stake, qty: 1, payHundredths, booster: 1 }),
          0n,
        ),
      ),
    };
  });
  return { stakes, data } as Partial<Panel> as Panel;
}

const section = (game: GameIdentity, title: string) => layoutOf(game).sections.find((each) => each.title === title)!;

describe("a section's total", () => {
  it('is its collection, its dearest payout and its highest stake', () => {
    const panel = panelOf(LOTTERY_4D, { 1000: 1.5, 1042: 3, 1100: 50 });
    expect(sectionFigures(section(LOTTERY_4D, '1000-1099'), panel, rulesFor(LOTTERY_4D))).toEqual({
      collection: 4.5,
      worst: 270,
      largest: 3,
    });
  });

  it('counts once a bet that wins with ten numbers of its tier', () => {
    const panel = panelOf(JODI, {
      'K60GOLD|andhar:4': 10,
      'K60GOLD|bahar:2': 0.25,
      'K60GOLD|jodi:42': 1,
      'K50SILVER|jodi:42': 7,
    });
    expect(sectionFigures(section(JODI, 'K60GOLD'), panel, rulesFor(JODI))).toEqual({
      collection: 11.25,
      worst: 562.5,
      largest: 11.25,
    });
  });

  it('stays the same object until its rows change', () => {
    const panel = panelOf(LOTTERY_4D, { 3000: 2 });
    const of = section(LOTTERY_4D, '3000-3099');
    const before = sectionFigures(of, panel, rulesFor(LOTTERY_4D));
    expect(sectionFigures(of, { ...panel, data: [...panel.data] }, rulesFor(LOTTERY_4D))).toBe(before);
    const more = panelOf(LOTTERY_4D, { 3000: 3 });
    expect(sectionFigures(of, more, rulesFor(LOTTERY_4D)).collection).toBe(3);
  });
});

it('winners are listed by tab and pay together', () => {
  const tabs = layoutTabs(layoutOf(LOTTERY_4D));
  const panel = panelOf(LOTTERY_4D, { 1042: 2, 5999: 0.5, 1000: 100 });
  const found = winnersByTab(tabs, panel, { 1000: '1042', 5900: '5999', 5800: '5800' });
  expect(found.map(({ tab, winners }) => [tab.title, winners.map(({ drawno, pays }) => [drawno, pays])])).toEqual([
    ['1000-1999', [['1042', 180]]],
    [
      '5000-5999',
      [
        ['5800', 0],
        ['5999', 45],
      ],
    ],
  ]);
  const winners = found.flatMap((each) => each.winners);
  expect(winnersConsequence(winners, 2, 102.5)).toEqual({ pays: 450, leaves: -347.5 });
});

describe("a tier's margin", () => {
  it.each([
    ['', 0],
    ['0', 0],
    [' 30 ', 30],
    [100, 100],
    ['101', null],
    ['-1', null],
    ['12.5', null],
    ['1e2', null],
    ['much', null],
  ])('%j is parsed as %j', (text, margin) => expect(readMargin(text)).toBe(margin));

  it('sets the minimum to keep of the collection', () => {
    expect(cutoffOf(1000, 30)).toBe(700);
    expect(cutoffOf(1000, 0)).toBe(1000);
    expect(cutoffOf(1000, 100)).toBe(0);
    expect(cutoffOf(0, 30)).toBe(0);
    // 0.05 − 0.0150: a net of 0.03 is too little.
    expect(cutoffOf(0.05, 30)).toBe(0.04);
  });

  it('a number passes if net ≥ cutoff, to the hundredth', () => {
    const tier = { collection: 1000, cutoff: 700, booster: 1 };
    expect(tierNet({ pays: 300 }, tier)).toEqual({ payout: 300, net: 700, keeps: true });
    expect(tierNet({ pays: 300.01 }, tier)).toEqual({ payout: 300.01, net: 699.99, keeps: false });
    expect(tierNet({ pays: 300 }, { ...tier, booster: 2 })).toEqual({ payout: 600, net: 400, keeps: false });
    expect(tierNet({ pays: 0 }, { collection: 0, cutoff: 0, booster: 1 }).keeps).toBe(true);
  });

  it('agrees with the formula in fractions of a hundredth', () => {
    const cents = fc.integer({ min: 0, max: 10 ** 11 });
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 0, max: 100 }), (collection, payout, margin) => {
        const { keeps } = tierNet(
          { pays: pointsOf(BigInt(payout)) },
          {
            collection: pointsOf(BigInt(collection)),
            cutoff: cutoffOf(pointsOf(BigInt(collection)), margin),
            booster: 1,
          },
        );
        const [of, paid, share] = [BigInt(collection), BigInt(payout), BigInt(margin)];
        expect(keeps).toBe((of - paid) * 100n >= of * 100n - of * share);
      }),
    );
  });
});

describe('the P&L sort', () => {
  const rows = [5, 0, 9, 5].map((pays, index) => ({ drawno: `0${index}`, pays }));
  const drawnos = (order: Parameters<typeof inOrder>[1]) => inOrder(rows, order).map(({ drawno }) => drawno);

  it('cycles highest net first, lowest first, highest again', () => {
    expect(toggledOrder('number')).toBe('descending');
    expect(toggledOrder('descending')).toBe('ascending');
    expect(toggledOrder('ascending')).toBe('descending');
    expect(drawnos('descending')).toEqual(['01', '00', '03', '02']);
    expect(drawnos('ascending')).toEqual(['02', '00', '03', '01']);
    expect(drawnos('number')).toEqual(['00', '01', '02', '03']);
  });
});
