import { FAMILIES, builtInGame, type FamilyName } from '@drawhouse/rules/games/catalogue';
import type { GameRules } from '@drawhouse/rules/games/game-rules';
import { cachedRules, type GameIdentity } from '@drawhouse/rules/games/rules-cache';

type NewRules = (game: GameIdentity) => GameRules;

/** A page shows one family, so each is a chunk. */
const FETCHES: Readonly<Record<FamilyName, () => Promise<NewRules>>> = {
  numbers: async () => (await import('@drawhouse/rules/games/families/numbers')).numbersRules,
  roulette: async () => {
    const { rouletteRules } = await import('@drawhouse/rules/games/families/roulette');
    return ({ digits }) => rouletteRules(digits);
  },
  triple: async () => (await import('@drawhouse/rules/games/families/triple')).tripleRules,
  andarbahar: async () => (await import('@drawhouse/rules/games/families/andar-bahar')).andarBaharRules,
  lottery3d: async () => (await import('@drawhouse/rules/games/families/lottery3d')).lottery3dRules,
  lottery4d: async () => (await import('@drawhouse/rules/games/families/lottery4d')).lottery4dRules,
  jodi: async () => (await import('@drawhouse/rules/games/families/jodi')).jodiRules,
};

const fetched = new Map<FamilyName, NewRules>();

function isKnown(family: string): family is FamilyName {
  return FAMILIES.includes(family as FamilyName);
}

/** Null for unknown families, e.g. after a server update. */
export function identityOf({ gameId, family, digits }: { gameId: string; family: string; digits: number }) {
  return isKnown(family) ? ({ gameId, family, digits } satisfies GameIdentity) : null;
}

export async function fetchFamily(family: string): Promise<void> {
  if (isKnown(family) && !fetched.has(family)) fetched.set(family, await FETCHES[family]());
}

/** Fetches the family of a built-in game before the server names it. */
export function fetchEarly(gameId: string): void {
  fetchFamily(builtInGame(gameId)?.family ?? '').catch(() => undefined);
}

/** Needs the family's code: see {@link fetchFamily}. */
export const rulesOf: NewRules = cachedRules((game) => fetched.get(game.family)!(game));
