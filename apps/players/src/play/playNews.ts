import type { playerState } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import type { GameNews, WalletNews } from '@drawhouse/contract/players/player-live';
import { FAMILIES } from '@drawhouse/rules/catalogue';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import { parsePays, paysInUnits } from '@drawhouse/rules/pays';
import type { GameIdentity, GameRules } from '@drawhouse/rules/rules';
import { rulesFor } from '@drawhouse/rules/rules';

/** A game as the server says it to its player. */
export type PlayState = RouteAnswer<typeof playerState>;

/** So many of the last results stay in sight. */
const SHOWN_RESULTS = 20;

/** The game after news of it: where its draw stands, what came up, and its terms where they are others. */
export function withNews(state: PlayState, { draw, nextOpensAt, serverTime, result, terms }: GameNews): PlayState {
  const isNew = result !== null && state.results.every(({ drawId }) => drawId !== result.drawId);
  const results = isNew ? [result, ...state.results].slice(0, SHOWN_RESULTS) : state.results;
  const next = { ...state, draw, nextOpensAt, serverTime, results };
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

/** What decides the rules of the game; null where this client knows no such family, as after an update of the server. */
export function identityOf({
  gameId,
  family,
  digits,
}: {
  gameId: string;
  family: string;
  digits: number;
}): GameIdentity | null {
  return FAMILIES.includes(family as FamilyName) ? { gameId, family: family as FamilyName, digits } : null;
}

/** The rules of the game with the pays of its draw. */
export function rulesOfPlay(game: GameIdentity, heads: PlayState['heads']): GameRules {
  const usual = rulesFor(game);
  const parsed = parsePays(usual, Object.fromEntries(heads.map(({ head, pay }) => [head, pay])));
  return parsed.ok ? rulesFor({ ...game, pays: parsed.pays }) : usual;
}

/** What settled draws brought, by their ids: of the last of them. */
export type Settled = ReadonlyMap<string, { readonly staked: number; readonly won: number }>;

const KEPT_SETTLED = 50;

/** The same with what a settled draw of this game has just brought. */
export function withSettled(before: Settled, gameId: string, { settled }: WalletNews): Settled {
  if (settled?.gameId !== gameId) return before;
  const { drawId, staked, won } = settled;
  return new Map([...[...before].slice(-KEPT_SETTLED), [drawId, { staked, won }]]);
}
