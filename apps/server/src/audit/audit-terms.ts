import { pointsOf } from '@drawhouse/contract/frame/primitives';
import { builtInGame } from '@drawhouse/rules/catalogue';
import { paysInUnits, paysOf } from '@drawhouse/rules/pays';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { Findings, LOGGED_AT } from './audit-check.ts';
import type { Check } from './audit-check.ts';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import type { Queryable } from '../db/database.ts';
import { BUILT_IN_UNIT_PRICE } from '@drawhouse/rules/catalogue';
import { changedAt, inForceAtFirst, inForceDuring, openedAt, inForceBy } from './audit-in-force.ts';
import type { InForce } from './audit-in-force.ts';
import { termsName } from '@drawhouse/rules/terms';
import type { DrawTerms } from '@drawhouse/rules/terms';
import { nameUuid } from '../db/name-uuid.ts';
import { auditedRules } from './audited-rows.ts';
import type { AuditedDrawRow, AuditedGame } from './audited-rows.ts';

/** The id of terms is that of their content: what was changed is under another's id. */
export async function auditTerms(db: Queryable): Promise<Check> {
  const found = new Findings();
  const rows = await db.query<DrawTerms & { id: string }>(
    'select id, rules_version, unit_price, pays, weights, result_mode, manual_claims from draw_terms order by id',
  );
  for (const { id, ...terms } of rows)
    if (nameUuid(termsName(terms)) !== id)
      found.add(
        `terms ${id} were changed: version ${terms.rules_version} of the rules, ${terms.unit_price} hundredths a unit, ` +
          `pays ${JSON.stringify(terms.pays)}, weights ${JSON.stringify(terms.weights)} are those of ${nameUuid(termsName(terms))}`,
      );
  return { name: 'all terms of draws are as they were', rows: rows.length, problems: found.problems };
}

/** What a game costs and pays, as people read it, and how its results and wins go. */
interface Told {
  readonly price: string;
  /** `results two-person, wins claimed`. */
  readonly mode: string;
}

/** What the log tells of the terms of each game, by its key; a built-in game begins with those of the catalogue. */
export type ToldTerms = ReadonlyMap<string, readonly InForce<Told>[]>;

/** The fields of a game as the log has them. */
interface LoggedFields {
  readonly unitPrice: unknown;
  readonly pays: unknown;
  readonly resultMode: string;
  readonly manualClaims: unknown;
}

const tell = ({ unitPrice, pays, resultMode, manualClaims }: LoggedFields): Told => ({
  price: `${String(unitPrice)} points a unit, ${canonicalJson(pays)}`,
  mode: `results ${resultMode}, wins ${manualClaims === 'yes' ? 'claimed' : 'paid'}`,
});
const toldOf = (row: Pick<DrawTerms, 'unit_price' | 'pays' | 'result_mode' | 'manual_claims'>): Told =>
  tell({
    unitPrice: pointsOf(row.unit_price),
    pays: paysInUnits(row.pays),
    resultMode: row.result_mode,
    manualClaims: row.manual_claims ? 'yes' : 'no',
  });
const agree = (one: Told, other: Told): boolean => one.price === other.price && one.mode === other.mode;
const inWords = ({ price, mode }: Told): string => `${price}, ${mode}`;

/** Reads what the log of the root tells of games, and checks that each game is as it was told last. */
export async function readToldTerms(db: Queryable): Promise<{ told: ToldTerms; check: Check }> {
  const games = await db.query<GameTerms>(
    'select game_key, family, digits, unit_price, pays, result_mode, manual_claims from games order by game_key',
  );
  const rows = await db.query<{ game_key: string; id: string; at: Date; after: Partial<LoggedFields> }>(
    `select detail ->> 'gameId' as game_key, id, ${LOGGED_AT} as at, detail -> 'after' as after
     from audited.standing_activity where network_id = $1 and detail ? 'gameId'
       and detail -> 'after' ?| array['unitPrice', 'pays', 'resultMode', 'manualClaims'] order by seq`,
    [ROOT_NETWORK],
  );
  const logged = Map.groupBy(rows, (row) => row.game_key);
  const told = new Map<string, InForce<Told>[]>();
  const found = new Findings();
  for (const game of games) {
    const usual = usualPays(game);
    if (!usual) continue; // Its draws say so.
    let last: LoggedFields = {
      unitPrice: pointsOf(BUILT_IN_UNIT_PRICE),
      pays: paysInUnits(usual),
      resultMode: 'open',
      manualClaims: 'no',
    };
    const changes = builtInGame(game.game_key) ? [inForceAtFirst(tell(last))] : [];
    for (const { id, at, after } of logged.get(game.game_key) ?? []) {
      last = {
        unitPrice: after.unitPrice ?? last.unitPrice,
        pays: after.pays ?? last.pays,
        resultMode: after.resultMode ?? last.resultMode,
        manualClaims: after.manualClaims ?? last.manualClaims,
      };
      changes.push(changedAt({ id, at, value: tell(last) }));
    }
    const periods = inForceBy(changes);
    told.set(game.game_key, periods);
    const now = toldOf({ ...game, pays: game.pays ?? usual });
    const then = periods.at(-1)?.value;
    if (!then || !agree(now, then))
      found.add(`game ${game.game_key} has ${inWords(now)}; the log says ${then ? inWords(then) : 'nothing of it'}`);
  }
  const name = 'every game costs and pays what the log tells';
  return { told, check: { name, rows: games.length, problems: found.problems } };
}

type GameTerms = AuditedGame & Pick<DrawTerms, 'unit_price' | 'result_mode' | 'manual_claims'>;

function usualPays(game: AuditedGame): DrawTerms['pays'] | null {
  const rules = auditedRules({ ...game, pays: null });
  return rules && paysOf(rules);
}

/** What is wrong with the terms that a draw was opened with, by what was told of its game at that time. */
export function problemsOfTerms(
  draw: Pick<AuditedDrawRow & AuditedGame, 'id' | 'game_key' | 'opens_at' | 'closes_at'> & DrawTerms,
  told: ToldTerms,
): string[] {
  const then = inForceDuring(told.get(draw.game_key) ?? [], openedAt(draw));
  const has = toldOf(draw);
  if (then.some((value) => agree(has, value))) return [];
  const last = then.at(-1);
  return [`It was opened with ${inWords(has)}; the log says ${last ? inWords(last) : 'nothing of its game'}.`];
}
