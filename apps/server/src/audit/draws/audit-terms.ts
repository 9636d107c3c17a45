import { pointsOf } from '@drawhouse/contract/core/primitives';
import { builtInGame, BUILT_IN_UNIT_PRICE } from '@drawhouse/rules/games/catalogue';
import { paysInUnits, paysOf } from '@drawhouse/rules/games/pays';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { checkWith, Findings, LOGGED_AT, loggedHundredths, type Check } from '../audit-check.ts';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import type { Queryable } from '../../platform/db/database.ts';
import { termsName, type DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { nameUuid } from '../../platform/db/sql/uuids.ts';
import { auditedPoints, auditedRules, type AuditedGame } from '../audited-rows.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Terms ids are content hashes. */
export async function auditTerms(db: Queryable): Promise<Check> {
  const found = new Findings();
  const rows = await db.query<DrawTerms & { id: string }>(
    sql`select id, rules_version, unit_price, pays, weights, result_mode, manual_claims, beacons from draw_terms order by id`,
  );
  for (const { id, ...terms } of rows)
    if (nameUuid(termsName(terms)) !== id)
      found.add(
        `terms ${id} were changed: version ${terms.rules_version} of the rules, ${terms.unit_price} hundredths a unit, ` +
          `pays ${JSON.stringify(terms.pays)}, weights ${JSON.stringify(terms.weights)} are those of ${nameUuid(termsName(terms))}`,
      );
  return { name: 'all draw terms are unchanged', rows: rows.length, problems: found.problems };
}

interface LoggedFields {
  readonly unitPrice: unknown;
  readonly pays: unknown;
  readonly resultMode: string;
  readonly manualClaims: unknown;
}

const inWords = ({ unitPrice, pays, resultMode, manualClaims }: LoggedFields): string =>
  `${String(unitPrice)} points a unit, ${canonicalJson(pays)}, results ${resultMode}, wins ${manualClaims === 'yes' ? 'claimed' : 'paid'}`;

const changedBy = (before: LoggedFields, { after }: { readonly after: Partial<LoggedFields> }): LoggedFields => ({
  unitPrice: after.unitPrice ?? before.unitPrice,
  pays: after.pays ?? before.pays,
  resultMode: after.resultMode ?? before.resultMode,
  manualClaims: after.manualClaims ?? before.manualClaims,
});

type GameTerms = AuditedGame & Pick<DrawTerms, 'unit_price' | 'result_mode' | 'manual_claims'>;

/** Terms of opened draws are in the log's openings. */
export async function auditGameTerms(db: Queryable): Promise<Check> {
  const games = await db.query<GameTerms>(
    sql`select game_key, family, digits, unit_price, pays, result_mode, manual_claims from games order by game_key`,
  );
  const logged = Map.groupBy(
    await db.query<{ game_key: string; after: Partial<LoggedFields> }>(
      sql`select detail ->> 'gameId' as game_key, detail -> 'after' as after from activity
       where network_id = ${ROOT_NETWORK} and detail ? 'gameId'
         and detail -> 'after' ?| array['unitPrice', 'pays', 'resultMode', 'manualClaims'] order by seq`,
    ),
    (row) => row.game_key,
  );
  const found = new Findings();
  for (const game of games) {
    const rules = auditedRules({ ...game, pays: null });
    if (!rules) continue;
    const now = inWords({
      unitPrice: auditedPoints(game.unit_price),
      pays: paysInUnits(game.pays ?? paysOf(rules)),
      resultMode: game.result_mode,
      manualClaims: game.manual_claims ? 'yes' : 'no',
    });
    const changes = logged.get(game.game_key) ?? [];
    // Built-in games start with catalogue terms.
    const first: LoggedFields = {
      unitPrice: pointsOf(BUILT_IN_UNIT_PRICE),
      pays: paysInUnits(paysOf(rules)),
      resultMode: 'open',
      manualClaims: 'no',
    };
    const isLogged = changes.length > 0 || builtInGame(game.game_key) !== undefined;
    const then = isLogged ? inWords(changes.reduce(changedBy, first)) : 'nothing of it';
    if (now !== then) found.add(`game ${game.game_key} has ${now}, but the log says ${then}`);
  }
  return { name: 'every game costs and pays as logged', rows: games.length, problems: found.problems };
}

/** Newly assigned games have no percentage, and unassigning a game removes it. */
export function auditPercentages(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every win percentage is as logged',
    'network_games',
    `logged as (
       select distinct on (admin_id, game_key) * from (
         select id, at, detail ->> 'adminId' as admin_id, detail ->> 'gameId' as game_key, ${loggedHundredths('after')} as percentage
         from (
           select id, ${LOGGED_AT} as at, jsonb_path_query(detail, '$.percentages[*]') as detail
           from audited.standing_activity where detail ? 'percentages'
         ) as changes
       ) as read order by admin_id, game_key, id desc
     ), wrong as (
       select format('game %s of network %s has a win percentage of %s hundredths of a percent, but the log says %s', g.game_key,
         network_id, coalesce(win_percentage::text, 'none'), coalesce(trim_scale(percentage)::text, 'none')) as problem
       from network_games ng join games g on g.id = ng.game_id join networks n on n.id = ng.network_id
         left join logged l on l.game_key = g.game_key and l.admin_id = n.admin_id::text
       where win_percentage is distinct from percentage
         and not (win_percentage is null and l.at <= assigned_at + interval '1 minute')
     )`,
  );
}
