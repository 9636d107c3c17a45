import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import type { Panel } from '@drawhouse/contract/live/live';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { paysOf } from '@drawhouse/rules/games/pays';
import { rulesFor, type GameRules } from '@drawhouse/rules/games/rules';
import { shareOf } from '@drawhouse/rules/games/shares';
import { winHundredths } from '@drawhouse/rules/games/wins';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyBet } from '../../../../../lab/simulate/ready-bets.ts';
import { applyPanelChange } from '../../../../web/src/features/live/panel/feed/applyPanelChange.ts';
import { differenceOf, fullPanel, type PanelState } from './panel.ts';
import { eachNth, runsOf, sampleEnds } from '../../../test/test-tier.ts';
import { shownOf } from '../../../test/clients/live-client.ts';
import { WatchedPanels, type BetLines } from '../../../test/clients/watched-panels.ts';

const GAMES = ['luckycard16', 'funroulette', 'triplefun', 'andarbahar', 'lottery3d', 'lottery4d', 'acqOpdpL'] as const;
const DRAWS = ['0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d', '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e', null] as const;

function stateOf(rules: GameRules, gameId: string, drawId: string | null, stakes: Map<string, bigint>): PanelState {
  const total = [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
  return {
    rules,
    stakes,
    images: ['/first.webp'],
    shown: {
      gameId,
      gameName: gameId,
      family: rules.family,
      digits: builtInGame(gameId)!.digits,
      unitPrice: 1,
      pays: paysOf(rules),
      adminId: DRAWS[0],
      username: 'ada',
      testNetwork: false,
      serverTime: '2026-03-10T10:00:00.000Z',
      draw: drawId === null ? null : ({ _id: drawId } as Panel['draw']),
      nextOpensAt: null,
      resultMode: 'open',
      usesBeacon: false,
      maxBooster: rules.maxBooster,
      percentageData: [{ gameBalance: 0, winpercentage: null }],
      table: { backing: 0, commissionCeiling: 20, lacking: 0, opensNoDraw: false },
      collections: { totalPlaypoints: 0, totalWinpoints: 0, balance: 0 },
      lastData: { data: [] },
      totalsumdata: Number(total) / 100,
      awaited: [],
      correctable: [],
      saved: null,
    },
  };
}

const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe.each(sampleEnds(GAMES))('the panel of %s', (gameId) => {
  const usual = rulesFor(builtInGame(gameId)!);
  const raised = Object.fromEntries(Object.entries(paysOf(usual)).map(([head, pay]) => [head, pay + 50]));
  const own = rulesFor({ ...builtInGame(gameId)!, pays: raised });
  const keys = everyBet(usual).map((line) => (usual.parseBet(line) as { key: string }).key);

  const bets = fc.array(
    fc.tuple(
      fc.nat(keys.length - 1).map((index) => keys[index]!),
      fc.oneof(fc.bigInt({ min: 1n, max: 5_000n }), fc.bigInt({ min: 1n, max: 10n ** 13n })),
    ),
    { maxLength: 12 },
  );
  const step = fc.record({
    bets,
    draw: fc.constantFrom('same', 'same', 'same', 'next'),
    pays: fc.boolean(),
    takesBack: fc.boolean(),
  });

  it("equals the server's whole panel after any changes, and keeps unchanged objects", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let draw = 0;
        let rules = usual;
        let stakes = new Map<string, bigint>();
        let before = stateOf(rules, gameId, DRAWS[0], stakes);
        let seq = 1;
        let shown = overTheWire(fullPanel(before, seq));
        for (const each of steps) {
          if (each.draw === 'next') {
            draw = (draw + 1) % DRAWS.length;
            rules = each.pays ? own : usual;
            stakes = new Map();
          }
          stakes = new Map(stakes);
          const [first] = stakes.keys();
          if (each.takesBack && first !== undefined) stakes.delete(first);
          for (const [key, stake] of each.bets) stakes.set(key, (stakes.get(key) ?? 0n) + stake);
          const after = stateOf(rules, gameId, DRAWS[draw]!, stakes);
          const difference = differenceOf(before, after);
          before = after;
          if (difference === null) {
            expect(overTheWire(fullPanel(after, seq))).toEqual(overTheWire(shown));
            continue;
          }
          if (difference === 'all') throw new Error('A bet or a draw changes no rows.');
          const { adminId, serverTime } = after.shown;
          const next = applyPanelChange(shown, overTheWire({ ...difference, gameId, adminId, serverTime, seq: ++seq }));
          if (next === 'gap') throw new Error('There is no gap.');
          // Computed points keep all digits; parsed ones are doubles.
          expect(overTheWire(next)).toEqual(overTheWire(fullPanel(after, seq)));
          for (const list of ['data', 'dataColors', 'dataCardTypes'] as const) {
            const same = next[list].map((row, index) => row === shown[list][index]);
            const equal = next[list].map((row, index) => JSON.stringify(row) === JSON.stringify(shown[list][index]));
            expect(same).toEqual(equal);
            expect(next[list] === shown[list]).toBe(equal.every(Boolean));
          }
          shown = next;
        }
      }),
      { numRuns: runsOf(keys.length > 500 ? 15 : 60) },
    );
  });

  it('shows what the rules say wins with each outcome', () => {
    const stakes = new Map(keys.map((key, index) => [key, BigInt(index + 1) * 7n]));
    const panel = fullPanel(stateOf(own, gameId, DRAWS[0], stakes), 1);
    const outcomes = [...own.outcomes, ...(own.colors ?? []), ...(own.cardTypes ?? [])];
    const rows = [...panel.data, ...panel.dataColors, ...panel.dataCardTypes];
    if (own.family === 'roulette') expect(sumPoints(rows.map(({ sum }) => sum))).toBe(panel.totalsumdata);
    expect(rows.map(({ drawno }) => drawno)).toEqual(outcomes.map(({ drawno }) => drawno));
    for (const [index, outcome] of outcomes.entries()) {
      const won = own.outcomeBets(outcome).map(({ key, head, payHundredths, share }) => {
        const stake = stakes.get(key)!;
        const wins = winHundredths({ unitPrice: stake, qty: 1, payHundredths, booster: 1 });
        return { head, stake: shareOf(stake, share), wins };
      });
      const sumOf = (of: typeof won): number => Number(of.reduce((sum, { stake }) => sum + stake, 0n)) / 100;
      expect(rows[index]).toMatchObject({
        sum: sumOf(won),
        pays: Number(won.reduce((sum, { wins }) => sum + wins, 0n)) / 100,
      });
      const fieldOf = { triple: '', lottery3d: '', jodi: 'sum' }[own.family as string];
      if (fieldOf !== undefined)
        for (const { name } of own.heads)
          expect(rows[index]).toHaveProperty(`${name}${fieldOf}`, sumOf(won.filter(({ head }) => head === name)));
      if (own.family === 'jodi') expect(rows[index]).toHaveProperty('totalsum', rows[index]!.sum);
      for (const group of ['series', 'subseries'] as const) expect(rows[index]![group]).toBe(outcome[group]);
    }
  });
});

describe('over sockets', () => {
  const panels = new WatchedPanels();

  it.each(eachNth(6, GAMES))("a client of %s applying changes shows the server's whole panel", async (gameId) => {
    const rules = rulesFor(builtInGame(gameId)!);
    const lines = everyBet(rules).filter((_line, index, all) => index % Math.ceil(all.length / 40) === 0);
    const funds = { gameId, adminId: panels.net.admin._id, balance: 100_000 };
    await panels.t.ok(addBalance, { body: funds }, panels.net.admin);
    await panels.bet(gameId, [{ ...lines[0]!, qty: 2 }] as BetLines);
    const one = panels.client(gameId);
    await expect.poll(() => one.panel !== null).toBeTruthy();
    expect(shownOf(one.panel)).toEqual(await panels.truth(gameId));
    for (const part of [lines.slice(0, 10), lines.slice(5)])
      await panels.bet(gameId, part.map((line, index) => ({ ...line, qty: index + 1 })) as BetLines);
    await panels.converged(one, gameId);
    await panels.t.finishDraw(300);
    await panels.converged(one, gameId);
    expect(one.panel).toMatchObject({ totalsumdata: 0, stakes: {} });
    expect(one.got).toMatchObject({ wholes: 1, gaps: 0 });
    expect(one.got.changes).toBeGreaterThan(0);
  });

  it('changes contain only changed bets and fields', async () => {
    const changes: unknown[] = [];
    const one = panels.client('luckycard16');
    one.socket.on('panelChange', (change) => void changes.push(change));
    await expect.poll(() => one.panel !== null).toBeTruthy();
    const { seq, draw, percentageData } = one.panel!;
    await panels.bet('luckycard16', [{ drawno: '3', qty: 4 }]);
    await expect.poll(() => changes.length === 1).toBeTruthy();
    const head = { gameId: 'luckycard16', adminId: panels.net.admin._id, serverTime: expect.any(String) };
    expect(changes[0]).toEqual({
      ...head,
      seq: seq + 1,
      drawId: draw!._id,
      stakes: { 3: 4 },
      totalsumdata: 4,
    });
    const pair = { gameId: 'luckycard16', adminId: panels.net.admin._id };
    await panels.t.ok(addBalance, { body: { ...pair, balance: 10 } }, panels.net.admin);
    await expect.poll(() => changes.length === 2).toBeTruthy();
    expect(changes[1]).toMatchObject({
      seq: seq + 2,
      stakes: {},
      percentageData: [{ gameBalance: sumPoints([percentageData[0]!.gameBalance, 10]) }],
    });
    await panels.t.ok(addResult, { body: { ...pair, result: '3' } }, panels.net.admin);
    await expect.poll(() => changes.length === 3).toBeTruthy();
    const others = Object.keys(changes[2]!).filter((field) => !(field in (changes[0] as object)));
    expect(others.filter((field) => field !== 'percentageData').sort()).toEqual(['draw', 'saved']);
    expect(changes[2]).not.toHaveProperty('totalsumdata');
    await panels.t.ok(voidDraw, { body: { ...pair, reason: 'A trial' } }, panels.net.admin);
    await panels.converged(one, 'luckycard16');
  });
});
