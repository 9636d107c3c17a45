import { pointsOf } from '@drawhouse/contract/primitives';
import { builtInGame } from '@drawhouse/rules/catalogue';
import { paysInUnits, paysOf } from '@drawhouse/rules/pays';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import { Findings, LOGGED_AT } from '../activity/audit-check.ts';
import type { Check } from '../activity/audit-check.ts';
import { canonicalJson } from '../activity/canonical-json.ts';
import type { Queryable } from '../db/database.ts';
import { BUILT_IN_UNIT_PRICE } from '../games/catalogue.ts';
import { rulesOf } from '../games/games.sql.ts';
import type { GameRow } from '../games/games.sql.ts';
import { changeSpan, heldAtFirst, heldIn, openedSpan, periodsOf } from './audit-periods.ts';
import type { Period } from './audit-periods.ts';
import { termsId } from './draw-terms.ts';
import type { DrawTerms } from './draw-terms.ts';
import type { DrawRow } from './draws.sql.ts';

/** The id of terms is that of their content: what was changed is under another's id. */
export async function auditTerms(db: Queryable): Promise<Check> {
  const found = new Findings();
  const rows = await db.query<DrawTerms & { id: string }>(
    'select id, rules_version, unit_price, pays, weights from draw_terms order by id',
  );
  for (const { id, ...terms } of rows)
    if (termsId(terms) !== id)
      found.add(
        `terms ${id} were changed: version ${terms.rules_version} of the rules, ${terms.unit_price} hundredths a unit, ` +
          `pays ${JSON.stringify(terms.pays)}, weights ${JSON.stringify(terms.weights)} are those of ${termsId(terms)}`,
      );
  return { name: 'all terms of draws are as they were', rows: rows.length, problems: found.problems };
}

/** What a game costs and pays, as people read it: points a unit, and units by head. */
type Told = string;

/** What the log tells of the price and pays of each game, by its key; a built-in game begins with those of the catalogue. */
export type ToldTerms = ReadonlyMap<string, readonly Period<Told>[]>;

const tell = (unitPrice: unknown, pays: unknown): Told => `${String(unitPrice)} points a unit, ${canonicalJson(pays)}`;
const toldOf = (row: Pick<DrawTerms, 'unit_price' | 'pays'>): Told =>
  tell(pointsOf(row.unit_price), paysInUnits(row.pays));

/** Reads what the log of the root tells of games, and checks that each game is as it was told last. */
export async function readToldTerms(db: Queryable): Promise<{ told: ToldTerms; check: Check }> {
  const games = await db.query<Pick<GameRow, 'game_key' | 'family' | 'digits' | 'unit_price' | 'pays'>>(
    'select game_key, family, digits, unit_price, pays from games order by game_key',
  );
  const rows = await db.query<{ game_key: string; id: string; at: Date; price: unknown; pays: unknown }>(
    `select detail ->> 'gameId' as game_key, id, ${LOGGED_AT} as at, detail -> 'after' -> 'unitPrice' as price, detail -> 'after' -> 'pays' as pays
     from activity where network_id = $1 and detail ? 'gameId' and detail -> 'after' ?| array['unitPrice', 'pays'] order by seq`,
    [ROOT_NETWORK],
  );
  const logged = Map.groupBy(rows, (row) => row.game_key);
  const told = new Map<string, Period<Told>[]>();
  const found = new Findings();
  for (const game of games) {
    const usual = usualPays(game);
    if (!usual) continue; // Its draws say so.
    let [price, pays] = [pointsOf(BUILT_IN_UNIT_PRICE) as unknown, paysInUnits(usual) as unknown];
    const changes = builtInGame(game.game_key) ? [heldAtFirst(tell(price, pays))] : [];
    for (const row of logged.get(game.game_key) ?? []) {
      [price, pays] = [row.price ?? price, row.pays ?? pays];
      changes.push(changeSpan({ id: row.id, at: row.at, held: tell(price, pays) }));
    }
    const periods = periodsOf(changes);
    told.set(game.game_key, periods);
    const now = toldOf({ unit_price: game.unit_price, pays: game.pays ?? usual });
    if (now !== periods.at(-1)?.held)
      found.add(`game ${game.game_key} has ${now}; the log says ${periods.at(-1)?.held ?? 'nothing of it'}`);
  }
  const name = 'every game costs and pays what the log tells';
  return { told, check: { name, rows: games.length, problems: found.problems } };
}

function usualPays(game: Pick<GameRow, 'game_key' | 'family' | 'digits'>): DrawTerms['pays'] | null {
  try {
    return paysOf(rulesOf({ ...game, pays: null }));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What is wrong with the price and pays that a draw was opened with, by what was told of its game at that time. */
export function problemsOfTerms(
  draw: Pick<DrawRow, 'id' | 'game_key' | 'unit_price' | 'pays' | 'opens_at' | 'closes_at'>,
  told: ToldTerms,
): string[] {
  const then = heldIn(told.get(draw.game_key) ?? [], openedSpan(draw));
  const has = toldOf(draw);
  if (then.includes(has)) return [];
  return [`It was opened with ${has}; the log says ${then.at(-1) ?? 'nothing of its game'}.`];
}
