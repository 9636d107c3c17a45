import type { Game } from '@drawhouse/contract/games/games';
import { hundredthsOf, pointsOf, type Hundredths } from '@drawhouse/contract/core/primitives';
import { MAX_UNIT_PRICE, parsePays, paysOf, WRONG_UNIT_PRICE, type Pays } from '@drawhouse/rules/games/pays';
import { CallError } from '../../platform/http/http-errors.ts';
import { rulesOf, type GameRow } from '../games.sql.ts';
import { boosterOdds } from '@drawhouse/rules/fair/booster';
import type { GameRules } from '@drawhouse/rules/games/game-rules';
import { baseReturn } from '@drawhouse/rules/games/rules';
import { LRUCache } from 'lru-cache';

type GameOfPays = Pick<GameRow, 'game_key' | 'family' | 'digits'>;

export function gamePays(game: GameOfPays & Pick<GameRow, 'pays'>): Game['pays'] {
  const { heads } = rulesOf({ ...game, pays: null });
  return heads.map(({ name, label, payHundredths }) => ({
    head: name,
    label,
    pay: pointsOf(BigInt(game.pays?.[name] ?? payHundredths)),
    default: pointsOf(BigInt(payHundredths)),
  }));
}

/** `units` by head. Null if equal to the defaults. Effective from the next draw. */
export function readPays(game: GameOfPays, units: unknown): Pays | null {
  if (units === null) return null;
  const rules = rulesOf({ ...game, pays: null });
  const parsed = parsePays(rules, units);
  if (!parsed.ok) throw new CallError('INVALID_INPUT', { fields: parsed.fields });
  const usual = paysOf(rules);
  return Object.entries(parsed.pays).every(([head, pay]) => usual[head] === pay) ? null : parsed.pays;
}

export function readUnitPrice(points: unknown): Hundredths {
  const price = typeof points === 'number' ? hundredthsOf(points) : null;
  if (price === null || price < 1n || price > BigInt(MAX_UNIT_PRICE))
    throw new CallError('INVALID_INPUT', { fields: { unitPrice: WRONG_UNIT_PRICE } });
  return price;
}

export interface Odds {
  readonly baseReturn: number;
  readonly weights: readonly number[];
}

const cache = new LRUCache<string, Odds>({ max: 2_000 });

export function oddsFor(rules: GameRules, winPercentage: number | null): Odds {
  const aim = { baseReturn: baseReturn(rules), winPercentage, max: rules.maxBooster };
  const key = `${aim.baseReturn} ${winPercentage} ${aim.max}`;
  const same = cache.get(key);
  if (same) return same;
  const odds = { baseReturn: aim.baseReturn, weights: Object.freeze(boosterOdds(aim)) };
  cache.set(key, odds);
  return odds;
}
