import type { playerState } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { GameNews, WalletNews } from '@drawhouse/contract/players/player-live';
import { parsePays, paysInUnits } from '@drawhouse/rules/games/pays';
import type { GameIdentity, GameRules } from '@drawhouse/rules/games/rules';
import { rulesOf } from '../lib/betting/familyRules.ts';
import { withResult } from '../lib/betting/lobbyNews.ts';

export type PlayState = RouteAnswer<typeof playerState>;

const SHOWN_RESULTS = 20;

export function applyNews(
  state: PlayState,
  { draw, nextOpensAt, awaited, serverTime, result, terms }: GameNews,
): PlayState {
  const next = {
    ...state,
    draw,
    nextOpensAt,
    awaited: [...awaited],
    serverTime,
    results: withResult(state.results, result, SHOWN_RESULTS),
  };
  if (!terms) return next;
  const pays = paysInUnits(terms.pays);
  return {
    ...next,
    unitPrice: terms.unitPrice,
    limits: terms.limits,
    manualClaims: terms.manualClaims ? 'yes' : 'no',
    heads: state.heads.map((head) => ({ ...head, pay: pays[head.head] ?? head.pay })),
  };
}

export function rulesOfPlay(game: GameIdentity, heads: PlayState['heads']): GameRules {
  const usual = rulesOf(game);
  const parsed = parsePays(usual, Object.fromEntries(heads.map(({ head, pay }) => [head, pay])));
  return parsed.ok ? rulesOf({ ...game, pays: parsed.pays }) : usual;
}

/** Keyed by draw id, most recent only. */
export type Settlements = ReadonlyMap<string, { readonly staked: number; readonly won: number }>;

const KEPT_SETTLED = 50;

export function addSettlement(before: Settlements, gameId: string, { settled }: WalletNews): Settlements {
  if (settled?.gameId !== gameId) return before;
  const { drawId, staked, won } = settled;
  return new Map([...[...before].slice(-KEPT_SETTLED), [drawId, { staked, won }]]);
}
