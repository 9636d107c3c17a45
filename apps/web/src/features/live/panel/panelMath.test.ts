import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Panel } from '@drawhouse/contract/live/live';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { describe, expect, test } from 'vitest';
import { formatPoints } from '../../../lib/format/format.ts';
import {
  consequence,
  isDecidedByBeacon,
  isUncovered,
  payableOf,
  readBalance,
  resultConsequence,
  resultOf,
  resultText,
  share,
  shareText,
} from './panelMath.ts';

test('a result of several bets pays their sum', () => {
  const rules = rulesFor({ gameId: 'andarbahar', family: 'andarbahar', digits: 13 });
  const stakes = { 'rank:13': 10, 'suit:spade': 1.5, 'suit:heart': 100, 'color:black': 20 };
  expect(
    resultConsequence({ stakes, totalsumdata: 131.5 }, rules, { drawno: '13', suit: 'spade', color: 'black' }, 2),
  ).toEqual({ pays: 327.4, leaves: -195.9 });
});

test('a draw with a beacon is locked from its scheduled close', () => {
  const closesMs = Date.parse('2026-11-20T10:00:00.000Z');
  const draw = { closesAt: new Date(closesMs).toISOString() } as NonNullable<Panel['draw']>;
  const left = (usesBeacon: boolean, now: number) => isDecidedByBeacon({ usesBeacon, draw }, now);
  expect([left(true, closesMs - 1), left(true, closesMs), left(false, closesMs)]).toEqual([false, true, false]);
  expect(isDecidedByBeacon({ usesBeacon: true, draw: null }, closesMs)).toBe(false);
});

describe('payout and net of declaring an outcome', () => {
  test('with booster 1', () => {
    expect(consequence({ pays: 90 }, 1, 100)).toEqual({ pays: 90, leaves: 10 });
  });
  test('multiply by the booster, and may be negative', () => {
    expect(consequence({ pays: 90 }, 20, 100)).toEqual({ pays: 1800, leaves: -1700 });
  });
  test('hundredths stay exact', () => {
    expect(consequence({ pays: 0.1 }, 3, 0.3)).toEqual({ pays: 0.3, leaves: 0 });
    const { leaves } = consequence({ pays: 1234567.89 }, 1, pointsOf(9_007_199_254_740_991n));
    expect(formatPoints(leaves)).toBe('90,071,991,312,842.02');
  });
  test('an empty draw nets zero, not minus zero', () => {
    expect(Object.is(consequence({ pays: 0 }, 5, 0).leaves, 0)).toBe(true);
  });
});

test("a declared result may pay stakes less maximum commissions, plus the table's backing", () => {
  const table = { backing: 120.5, commissionCeiling: 20, lacking: 0, opensNoDraw: false };
  const payable = payableOf({ totalsumdata: 100, table });
  expect(payable).toBe(200.5);
  expect(isUncovered({ pays: 100.25 }, 2, payable)).toBe(false);
  expect(isUncovered({ pays: 100.26 }, 2, payable)).toBe(true);
});

describe('share of the draw', () => {
  test.each([
    [25, 100, 0.25],
    [0, 100, 0],
    [10, 0, 0],
    [150, 100, 1],
    [-5, 100, 0],
  ])('%d of %d', (sum, collection, part) => {
    expect(share(sum, collection)).toBe(part);
  });
  test.each([
    [0, '0 %'],
    [0.004, '< 1 %'],
    [0.126, '13 %'],
    [1, '100 %'],
  ])('%d reads %s', (part, text) => {
    expect(shareText(part)).toBe(text);
  });
});

test('a result reads drawno booster X', () => {
  expect(resultText({ drawno: '7', booster: 2 })).toBe('7 2 X');
});

test.each([
  ['12.5', 12.5],
  ['12', 12],
  ['1,000', 1000],
  ['1.000,50', null],
  ['0', null],
  ['', null],
  [' ', null],
  ['-3', null],
  ['1.005', null],
  ['1e9', null],
  ['0x10', null],
  ['abc', null],
  ['0.01', null],
  ['0.99', null],
  ['1', 1],
  ['1.01', 1.01],
])('the balance %s is %s', (text, amount) => {
  expect(readBalance(text)).toBe(amount);
});

test("the draw's result is the drawn one, otherwise the saved one", () => {
  const draw = {
    _id: 'this',
    number: 5,
    opensAt: '',
    closesAt: '',
    drawsAt: '',
    outside: null,
    correctedAt: null,
    status: 'closed' as const,
    commitment: '',
  };
  const drawn = {
    drawno: '4 Lamp',
    result: { drawno: '4' },
    booster: 1,
    source: 'generated' as const,
    drawId: 'this',
    number: 5,
    drawsAt: '',
    outside: null,
    correctedAt: null,
  };
  const saved = {
    result: '3 Sun',
    outcome: { drawno: '3' },
    booster: 2,
    byId: '',
    by: 'ada',
    at: '',
    confirmedBy: null,
    waits: false,
    sameAddress: false,
  };
  const before = { data: [{ ...drawn, drawId: 'before', number: 4 }] };
  expect(resultOf({ draw, saved: null, lastData: before })).toBeNull();
  expect(resultOf({ draw, saved, lastData: before })).toEqual({ result: { drawno: '3' }, booster: 2 });
  expect(resultOf({ draw, saved, lastData: { data: [drawn] } })).toEqual({ result: { drawno: '4' }, booster: 1 });
  expect(resultOf({ draw: null, saved: null, lastData: before })).toBeNull();
});
