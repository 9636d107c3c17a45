import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { expand } from '@drawhouse/rules/bet-text/expand';
import { rulesFor } from '@drawhouse/rules/games/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betsToPick } from '../boards/boardCells.ts';
import { deviceRandom, quickPick } from '../sheets/quickPick.ts';
import {
  canDouble,
  canHalve,
  clearSlip,
  doubleUnits,
  EMPTY_SLIP,
  halveUnits,
  undo,
  unitsOn,
  removeBets,
  type Slip,
} from './slip.ts';
import { addFromText, replaceLines } from './slipDesk.ts';
import { placementError } from './remainingLimits.ts';
import { costOf, stakeOf } from './slipSums.ts';

const rules = rulesFor(builtInGame('funtargetbingo')!);
const addBets = (slip: Slip, text: string): Slip => {
  const step = addFromText(slip, text, rules, expand);
  if ('problems' in step) throw new Error(step.problems[0]!.message);
  return step.slip;
};
const shown = ({ lines }: Slip): string => lines.map(({ key, qty }) => `${key}*${qty}`).join(' ');

describe('a ticket in progress', () => {
  it('totals bets in game order and reports errors without changing', () => {
    const slip = addBets(addBets(EMPTY_SLIP, '7*5'), '3 7');
    expect(shown(slip)).toBe('3*1 7*6');
    expect(unitsOn(slip, '7')).toBe(6);
    expect(unitsOn(slip, '8')).toBe(0);
    expect(addFromText(slip, '12', rules, expand)).toMatchObject({ problems: [{ part: '12' }] });
    expect(addFromText(slip, '7*1000000', rules, expand)).toMatchObject({
      problems: [{ message: expect.stringContaining('at most') }],
    });
    expect(addBets(slip, ' ')).toBe(slip);
  });

  it("doubles and halves whole units within a line's limit", () => {
    const slip = addBets(EMPTY_SLIP, '1*1 2*3 3*4');
    expect(shown(doubleUnits(slip))).toBe('1*2 2*6 3*8');
    expect(shown(halveUnits(slip))).toBe('1*1 2*1 3*2');
    const ones = addBets(EMPTY_SLIP, '1 2');
    expect(canHalve(ones)).toBe(false);
    expect(halveUnits(ones)).toBe(ones);
    const most = addBets(EMPTY_SLIP, '1*600000');
    expect(canDouble(most)).toBe(false);
    expect(doubleUnits(most)).toBe(most);
    expect(canDouble(EMPTY_SLIP)).toBe(false);
  });

  it('undoes every step', () => {
    const anyChange = fc.oneof(
      fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 9 })).map(
        ([n, q]) =>
          (slip: Slip) =>
            addBets(slip, `${n}*${q}`),
      ),
      fc.constantFrom(doubleUnits, halveUnits, clearSlip),
      fc.array(fc.nat(9), { maxLength: 3 }).map((keys) => (slip: Slip) => removeBets(slip, keys.map(String))),
    );
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 20 }), (changes) => {
        let slip = EMPTY_SLIP;
        const seen = [shown(slip)];
        for (const change of changes) {
          const next = change(slip);
          if (next === slip) continue;
          slip = next;
          seen.push(shown(slip));
        }
        for (const before of seen.toReversed()) {
          expect(shown(slip)).toBe(before);
          slip = undo(slip);
        }
        expect(undo(slip)).toEqual(slip);
      }),
    );
  });

  it('loads an earlier ticket as an undoable step', () => {
    const slip = addBets(EMPTY_SLIP, '7');
    const step = replaceLines(slip, [{ drawno: '3', head: 'number', series: null, qty: 2 }], rules, expand);
    expect('slip' in step && shown(step.slip)).toBe('3*2');
    expect('slip' in step && shown(undo(step.slip))).toBe('7*1');
  });
});

describe('its totals', () => {
  const bounds = { rules, unitPrice: 0.1, walletBalance: 1, perNumber: null, remaining: [] };

  it('are exact to the hundredth', () => {
    expect(costOf(3, 0.1)).toBe(0.3);
    expect(stakeOf(addBets(EMPTY_SLIP, '1-5*7').lines, 2.55)).toBe(89.25);
  });

  it('name what prevents placing', () => {
    const { lines } = addBets(EMPTY_SLIP, '1*4 2*7');
    expect(placementError(lines, bounds)).toBe('This is 0.10 points more than your wallet has.');
    const rich = { ...bounds, walletBalance: 1.1 };
    expect(placementError(lines, rich)).toBeNull();
    expect(placementError(lines, { ...rich, walletBalance: null })).toBeNull();
    expect(placementError(lines, { ...rich, remaining: [{ left: 1, text: 'One is left.' }] })).toBe('One is left.');
    expect(placementError(lines, { ...rich, remaining: [{ left: 1.1, text: 'It is just enough.' }] })).toBeNull();
    expect(placementError(lines, { ...rich, perNumber: 0.5 })).toMatch(/on 2 has more/);
  });

  it('count the share of a bet on several numbers', () => {
    const wheel = rulesFor(builtInGame('europeanroulette')!);
    const onWheel = (text: string) => expand(text, wheel, { qty: 1_000, lines: 100 }).lines;
    const limited = { ...bounds, rules: wheel, unitPrice: 1, walletBalance: 1_000, perNumber: 10 };
    expect(placementError(onWheel('red*180'), limited)).toBeNull();
    expect(placementError(onWheel('red*181'), limited)).toMatch(/on Red has more/);
    expect(placementError(onWheel('red*90 1*6'), limited)).toMatch(
      /At most 10.00 points per number; the bet on Straight 1/,
    );
    expect(placementError(onWheel('red*90 1*5 2*10'), limited)).toBeNull();
  });
});

describe('a quick pick', () => {
  it('returns distinct bets of the chosen kind, covering all of them', () => {
    const jodi = rulesFor(builtInGame('acqOpdpL')!);
    const from = { head: 'jodi', series: 'K60GOLD' };
    expect(betsToPick(jodi, from)).toHaveLength(100);
    expect(betsToPick(rulesFor(builtInGame('lottery3d')!), { head: 'spbox' })).toHaveLength(120);
    expect(betsToPick(rulesFor(builtInGame('lottery4d')!), { head: 'number', subseries: '1200' })).toHaveLength(100);
    expect(betsToPick(rulesFor(builtInGame('andarbahar')!), { head: 'suit' })).toHaveLength(4);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), fc.infiniteStream(fc.nat()), (count, numbers) => {
        const picked = quickPick(jodi, from, count, (n) => numbers.next().value! % n);
        expect(new Set(picked.map(({ key }) => key)).size).toBe(Math.min(count, 100));
        for (const { head, series } of picked) expect({ head, series }).toEqual(from);
      }),
    );
  });

  it('weighs random numbers equally and rejects biased ones', () => {
    const words = [2 ** 32 - 1, 2 ** 32 - 2, 5];
    const random = deviceRandom((into) => (into[0] = words.shift()!));
    expect(random(3)).toBe((2 ** 32 - 2) % 3);
    expect(random(10)).toBe(5);
  });
});
