import type { Game } from '@drawhouse/contract/games/games';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/frame/primitives';
import type { Hundredths } from '@drawhouse/contract/frame/primitives';
import { MAX_UNIT_PRICE, parsePays, paysOf, WRONG_UNIT_PRICE } from '@drawhouse/rules/pays';
import type { Pays } from '@drawhouse/rules/pays';
import { CallError } from '../http/http-errors.ts';
import { rulesOf } from './games.sql.ts';
import type { GameRow } from './games.sql.ts';

type GameOfPays = Pick<GameRow, 'game_key' | 'family' | 'digits'>;

/** What each head of a game pays per unit, from the next draw on, beside what its family pays by default. */
export function gamePays(game: GameOfPays & Pick<GameRow, 'pays'>): Game['pays'] {
  const { heads } = rulesOf({ ...game, pays: null });
  return heads.map(({ name, label, payHundredths }) => ({
    head: name,
    label,
    pay: pointsOf(BigInt(game.pays?.[name] ?? payHundredths)),
    default: pointsOf(BigInt(payHundredths)),
  }));
}

/**
 * Pays as a call has them, units by head, in the form in which `games.pays` keeps them: null where they are the default ones of the
 * game, as they are for null. They hold from the next draw that opens. Throws a CallError that names each head that is wrong.
 */
export function readPays(game: GameOfPays, units: unknown): Pays | null {
  if (units === null) return null;
  const rules = rulesOf({ ...game, pays: null });
  const parsed = parsePays(rules, units);
  if (!parsed.ok) throw new CallError('INVALID_INPUT', { fields: parsed.fields });
  const usual = paysOf(rules);
  return Object.entries(parsed.pays).every(([head, pay]) => usual[head] === pay) ? null : parsed.pays;
}

/** The price of one unit as a call has it, in hundredths of a point. Throws a CallError that names `unitPrice`. */
export function readUnitPrice(points: unknown): Hundredths {
  const price = typeof points === 'number' ? hundredthsOf(points) : null;
  if (price === null || price < 1n || price > BigInt(MAX_UNIT_PRICE))
    throw new CallError('INVALID_INPUT', { fields: { unitPrice: WRONG_UNIT_PRICE } });
  return price;
}
