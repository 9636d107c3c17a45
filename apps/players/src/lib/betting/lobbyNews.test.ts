import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Lobby } from '@drawhouse/contract/players/lobby';
import { expect, it } from 'vitest';
import { mayMissSettlement, netOf, applyGameNews, applyWalletNews, withResult } from './lobbyNews.ts';

const result = (number: number): DrawResult => ({
  drawno: String(number),
  result: { drawno: String(number) },
  booster: 1,
  source: 'generated',
  drawId: `draw-${number}`,
  number,
  drawsAt: `2026-01-31T12:0${number}:00.000Z`,
  outside: null,
  correctedAt: null,
});
const game = {
  gameName: 'Roulette',
  family: 'roulette',
  digits: 38,
  pays: { straight: 3600 },
  unitPrice: 1,
  draw: null,
  nextOpensAt: null,
  awaited: [],
  lastPlayedAt: null,
  isPinned: false,
  open: 0,
};
const lobby: Lobby = {
  success: true,
  username: 'p',
  serverTime: '2026-01-31T12:00:00.000Z',
  signedInAt: '2026-01-31T11:00:00.000Z',
  walletBalance: 100,
  winnings: 0,
  today: { staked: 10.1, won: 0.2, open: 5 },
  openDraws: ['d'],
  games: [
    { ...game, gameId: 'a', open: 9.2, results: [5, 4, 3, 2, 1].map(result) },
    { ...game, gameId: 'b', results: [] },
  ],
};
const news = {
  serverTime: lobby.serverTime,
  draw: null,
  nextOpensAt: '2026-01-31T12:01:00.000Z',
  awaited: [],
  terms: null,
};

it('a result appears first, once, and replaces the oldest', () => {
  const after = applyGameNews(lobby, { ...news, gameId: 'a', result: result(6) });
  expect(after.games[0]!.results.map(({ number }) => number)).toEqual([6, 5, 4, 3, 2]);
  expect(after.games[0]!.nextOpensAt).toBe(news.nextOpensAt);
  expect(after.games[1]).toBe(lobby.games[1]);
  expect(applyGameNews(after, { ...news, gameId: 'a', result: result(6) }).games[0]!.results).toHaveLength(5);
  const terms = { unitPrice: 2, pays: { straight: 3500 }, limits: {} as never, manualClaims: false };
  expect(applyGameNews(lobby, { ...news, gameId: 'b', result: null, terms }).games[1]).toMatchObject({
    unitPrice: 2,
    pays: { straight: 3500 },
  });
});

it('a late result of an outside lottery is inserted in draw order', () => {
  const known = [7, 5, 4, 3].map(result);
  const drawn = (number: number) => withResult(known, result(number), 5).map((each) => each.number);
  expect([6, 8, 1].map(drawn)).toEqual([
    [7, 6, 5, 4, 3],
    [8, 7, 5, 4, 3],
    [7, 5, 4, 3, 1],
  ]);
  expect(withResult([7, 5, 4, 3, 2].map(result), result(1), 5).map(({ number }) => number)).toEqual([7, 5, 4, 3, 2]);
});

it("a settled draw updates the day's net exactly and keeps open stakes at or above zero", () => {
  const settled = { gameId: 'a', drawId: 'd', staked: 7.7, won: 0.1 };
  const after = applyWalletNews(lobby, { walletBalance: 99.9, winnings: 0.1, settled });
  expect(after).toMatchObject({ walletBalance: 99.9, winnings: 0.1, today: { staked: 17.8, won: 0.3, open: 0 } });
  expect(netOf(after.today)).toBe(-17.5);
  expect(after.games.map(({ open }) => open)).toEqual([1.5, 0]);
  expect(after.openDraws).toEqual([]);
  const counted = { ...settled, drawId: 'settled before the read' };
  for (const again of [
    applyWalletNews(after, { walletBalance: 1, winnings: 0, settled }),
    applyWalletNews(after, { walletBalance: 1, winnings: 0, settled: counted }),
  ])
    expect(again).toEqual({ ...after, walletBalance: 1, winnings: 0 });
  expect(applyWalletNews(lobby, { walletBalance: 1, winnings: 0, settled: null }).today).toEqual(lobby.today);
});

it("news without a settled draw leaves the day's net uncertain, except for a bet's news", () => {
  const told = { winnings: 0, settled: null };
  expect(mayMissSettlement(lobby, { ...told, walletBalance: 100 })).toBe(true);
  expect(mayMissSettlement(lobby, { ...told, walletBalance: 130 })).toBe(true);
  expect(mayMissSettlement(lobby, { ...told, walletBalance: 90 })).toBe(false);
  const settled = { gameId: 'roulette', drawId: 'd', staked: 10, won: 0 };
  expect(mayMissSettlement(lobby, { ...told, walletBalance: 100, settled })).toBe(false);
});
