import type { GameNews } from '@drawhouse/contract/players/player-live';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { expect, it } from 'vitest';
import { fetchFamily, identityOf } from '../lib/betting/familyRules.ts';
import { rulesOfPlay, applyNews, addSettlement, type PlayState, type Settlements } from './playState.ts';

await fetchFamily('lottery3d');
const rules = rulesFor(builtInGame('lottery3d')!);
const GAME = identityOf({ gameId: 'lottery3d', family: 'lottery3d', digits: 1000 })!;
const at = '2026-01-31T12:00:00.000Z';
const result = (number: number) => ({
  drawno: '123',
  result: { drawno: '123' },
  booster: 1,
  source: 'generated' as const,
  drawId: `draw-${number}`,
  number,
  drawsAt: at,
  outside: null,
  correctedAt: null,
});
const state: PlayState = {
  success: true,
  gameId: 'lottery3d',
  gameName: '3D',
  family: 'lottery3d',
  draw: null,
  nextOpensAt: null,
  serverTime: at,
  walletBalance: 1,
  winnings: 0,
  manualClaims: 'no',
  unitPrice: 1,
  heads: rules.heads.map(({ name, label, payHundredths }) => ({ head: name, label, pay: payHundredths / 1e2 })),
  outcomes: rules.outcomes.map(({ drawno, label }) => ({ drawno, label, color: null, image: null })),
  limits: { perNumber: null, perTicket: null, perPlayer: null },
  results: [result(1)],
  awaited: [],
};
const news: GameNews = {
  gameId: 'lottery3d',
  serverTime: at,
  draw: null,
  nextOpensAt: at,
  awaited: [],
  result: null,
  terms: null,
};

it('a result appears first, and once', () => {
  const after = applyNews(state, { ...news, result: result(2) });
  expect(after.results.map(({ number }) => number)).toEqual([2, 1]);
  expect(applyNews(after, { ...news, result: result(2) }).results).toHaveLength(2);
  expect(after.nextOpensAt).toBe(at);
});

it('a corrected result replaces the one it corrects', () => {
  const before = { ...state, results: [result(2), result(1)] };
  const corrected = { ...result(1), drawno: '456', correctedAt: at };
  expect(applyNews(before, { ...news, result: corrected }).results).toEqual([result(2), corrected]);
});

it("new terms change payouts and each bet's return", () => {
  const pays = { ...Object.fromEntries(rules.heads.map((head) => [head.name, head.payHundredths])), straight: 950_00 };
  const limits = { perNumber: 5, perTicket: null, perPlayer: null };
  const after = applyNews(state, { ...news, terms: { unitPrice: 2, pays, limits, manualClaims: true } });
  expect(after).toMatchObject({ unitPrice: 2, limits, manualClaims: 'yes' });
  const payout = rulesOfPlay(GAME, after.heads);
  expect(payout.returns.find(({ bet }) => bet === 'straight')).toMatchObject({ pay: 950, return: 0.95 });
  expect(rulesOfPlay(GAME, state.heads).returns).toEqual(rules.returns);
});

it('an unknown family has no rules', () => {
  expect(identityOf({ ...GAME, family: 'bingo75' })).toBeNull();
});

it("a draw's outcome counts only for its own game", () => {
  const none: Settlements = new Map();
  const settled = { gameId: 'lottery3d', drawId: 'd', staked: 10, won: 90 };
  const after = addSettlement(none, 'lottery3d', { walletBalance: 1, winnings: 0, settled });
  expect([...after]).toEqual([['d', { staked: 10, won: 90 }]]);
  expect(addSettlement(after, 'roulette', { walletBalance: 1, winnings: 0, settled })).toBe(after);
  expect(addSettlement(after, 'lottery3d', { walletBalance: 1, winnings: 0, settled: null })).toBe(after);
});
