import { pointsOf } from '@drawhouse/contract/core/primitives';
import { builtInGame, BUILT_IN_UNIT_PRICE } from '@drawhouse/rules/games/catalogue';
import { paysInUnits, paysOf } from '@drawhouse/rules/games/pays';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { Findings, LOGGED_AT, type Check } from '../audit-check.ts';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import type { Queryable } from '../../platform/db/database.ts';
import { termsName, type DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { nameUuid, timeOfId } from '../../platform/db/sql/uuids.ts';
import { auditedPoints, auditedRules, type AuditedDrawRow, type AuditedGame } from '../audited-rows.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

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

interface TermsInForce {
  readonly price: string;
  readonly mode: string;
  readonly wins: string;
}

/** Before its move, a moved network had its old installation's terms. */
export interface LoggedTermsOfGames {
  of(draw: { readonly network_id: number; readonly game_key: string }): readonly InForce<TermsInForce>[];
}

type LoggedChange = TimeBounds & { readonly value: TermsInForce };

interface LoggedFields {
  readonly unitPrice: unknown;
  readonly pays: unknown;
  readonly resultMode: string;
  readonly manualClaims: unknown;
}

const termsOf = ({ unitPrice, pays, resultMode, manualClaims }: LoggedFields): TermsInForce => ({
  price: `${String(unitPrice)} points a unit, ${canonicalJson(pays)}`,
  mode: `results ${resultMode}`,
  wins: `wins ${manualClaims === 'yes' ? 'claimed' : 'paid'}`,
});
const termsOfRow = (row: Pick<DrawTerms, 'unit_price' | 'pays' | 'result_mode' | 'manual_claims'>): TermsInForce =>
  termsOf({
    unitPrice: auditedPoints(row.unit_price),
    pays: paysInUnits(row.pays),
    resultMode: row.result_mode,
    manualClaims: row.manual_claims ? 'yes' : 'no',
  });
/** Set by a draw's schedule, not by its game. */
const OUTSIDE = 'results outside';
const agree = (one: TermsInForce, other: TermsInForce): boolean =>
  one.price === other.price && one.wins === other.wins && (one.mode === other.mode || one.mode === OUTSIDE);
const inWords = ({ price, mode, wins }: TermsInForce): string => `${price}, ${mode}, ${wins}`;

/** One root's log, by game key. */
type ChangesByGame = ReadonlyMap<string, readonly LoggedChange[]>;

interface Elsewhere {
  readonly network_id: number;
  readonly untilMs: number;
  readonly changes: ChangesByGame;
}

export async function readLoggedTerms(db: Queryable): Promise<{ logged: LoggedTermsOfGames; check: Check }> {
  const games = await db.query<GameTerms>(
    sql`select game_key, family, digits, unit_price, pays, result_mode, manual_claims from games order by game_key`,
  );
  const changesHere = changesByGame(games, await loggedTerms(db, sql`activity where network_id = ${ROOT_NETWORK}`));
  const found = new Findings();
  for (const game of games) {
    const usual = usualPays(game);
    if (!usual) continue;
    const now = termsOfRow({ ...game, pays: game.pays ?? usual });
    const then = changesHere.get(game.game_key)?.at(-1)?.value;
    if (!then || !agree(now, then))
      found.add(
        `game ${game.game_key} has ${inWords(now)}, but the log says ${then ? inWords(then) : 'nothing of it'}`,
      );
  }
  const elsewhere = Map.groupBy(await readElsewhere(db, games), ({ network_id }) => network_id);
  const name = 'every game costs and pays as logged';
  return {
    logged: joinLoggedTerms(changesHere, elsewhere),
    check: { name, rows: games.length, problems: found.problems },
  };
}

function joinLoggedTerms(
  changesHere: ChangesByGame,
  elsewhere: ReadonlyMap<number, readonly Elsewhere[]>,
): LoggedTermsOfGames {
  const cache = new Map<string, readonly InForce<TermsInForce>[]>();
  const read = (networkId: number, gameKey: string): readonly InForce<TermsInForce>[] => {
    const changes: LoggedChange[] = [];
    let fromMs = -Infinity;
    for (const { changes: logged, untilMs } of [
      ...(elsewhere.get(networkId) ?? []),
      { changes: changesHere, untilMs: Infinity },
    ]) {
      changes.push(...since(logged.get(gameKey) ?? [], fromMs));
      fromMs = untilMs;
    }
    return inForceBy(changes);
  };
  return {
    of({ network_id, game_key }) {
      const key = `${network_id} ${game_key}`;
      const periods = cache.get(key) ?? read(network_id, game_key);
      cache.set(key, periods);
      return periods;
    },
  };
}

/** Includes the value in force at the start. */
function since(changes: readonly LoggedChange[], fromMs: number): readonly LoggedChange[] {
  const last = changes.findLast((change) => change.fromMs <= fromMs);
  const begin = (ms: number): number => Math.max(ms, fromMs);
  return [
    ...(last ? [{ ...last, fromMs: begin(last.fromMs), untilMs: begin(last.untilMs) }] : []),
    ...changes.filter((change) => change.fromMs > fromMs),
  ];
}

async function readElsewhere(db: Queryable, games: readonly GameTerms[]): Promise<Elsewhere[]> {
  const moves = await db.query<{ network_id: number; id: string; at: Date }>(
    sql`select network_id, id, at from moves order by network_id, border_version, at`,
  );
  const all: Elsewhere[] = [];
  for (const { network_id, id, at } of moves) {
    const rows = await loggedTerms(db, sql`moved_activity where network_id = ${network_id} and move_id = ${id}`);
    all.push({ network_id, untilMs: at.getTime(), changes: changesByGame(games, rows) });
  }
  return all;
}

interface LoggedTerms {
  readonly game_key: string;
  readonly id: string;
  readonly at: Date;
  readonly after: Partial<LoggedFields>;
}

function loggedTerms(db: Queryable, log: Sql): Promise<LoggedTerms[]> {
  return db.query<LoggedTerms>(
    sql`select detail ->> 'gameId' as game_key, id, ${LOGGED_AT} as at, detail -> 'after' as after
     from ${log} and detail ? 'gameId' and detail -> 'after' ?| array['unitPrice', 'pays', 'resultMode', 'manualClaims'] order by seq`,
  );
}

/** Built-in games start with catalogue terms. */
function changesByGame(games: readonly GameTerms[], rows: readonly LoggedTerms[]): ChangesByGame {
  const logged = Map.groupBy(rows, (row) => row.game_key);
  return new Map(
    games.flatMap((game) => {
      const usual = usualPays(game);
      return usual ? [[game.game_key, changesOf(game, usual, logged.get(game.game_key) ?? [])] as const] : [];
    }),
  );
}

function changesOf(game: GameTerms, usual: DrawTerms['pays'], rows: readonly LoggedTerms[]): LoggedChange[] {
  let last: LoggedFields = {
    unitPrice: pointsOf(BUILT_IN_UNIT_PRICE),
    pays: paysInUnits(usual),
    resultMode: 'open',
    manualClaims: 'no',
  };
  const changes = builtInGame(game.game_key) ? [inForceAtFirst(termsOf(last))] : [];
  for (const { id, at, after } of rows) {
    last = {
      unitPrice: after.unitPrice ?? last.unitPrice,
      pays: after.pays ?? last.pays,
      resultMode: after.resultMode ?? last.resultMode,
      manualClaims: after.manualClaims ?? last.manualClaims,
    };
    changes.push(changedAt({ id, at, value: termsOf(last) }));
  }
  return changes;
}

type GameTerms = AuditedGame & Pick<DrawTerms, 'unit_price' | 'result_mode' | 'manual_claims'>;

function usualPays(game: AuditedGame): DrawTerms['pays'] | null {
  const rules = auditedRules({ ...game, pays: null });
  return rules && paysOf(rules);
}

export function problemsOfTerms(
  draw: Pick<AuditedDrawRow & AuditedGame, 'id' | 'network_id' | 'game_key' | 'opens_at' | 'closes_at'> & DrawTerms,
  logged: LoggedTermsOfGames,
): string[] {
  const then = inForceDuring(logged.of(draw), openedAt(draw));
  const actual = termsOfRow(draw);
  if (then.some((value) => agree(actual, value))) return [];
  const last = then.at(-1);
  return [`It was opened with ${inWords(actual)}, but the log says ${last ? inWords(last) : 'nothing of its game'}.`];
}

interface TimeBounds {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Times are by the logging server's clock. */
export interface InForce<T> extends TimeBounds {
  readonly value: T;
}

interface Change<T> {
  readonly id: string;
  readonly at: Date;
  readonly value: T;
}

export const SLACK_MS = 60_000;

export function inForceAtFirst<T>(value: T): TimeBounds & { readonly value: T } {
  return { fromMs: -Infinity, untilMs: -Infinity, value };
}

/** Spans clock and row id, which differ only if the clock stepped back. Ids never do. */
export function changedAt<T>({ id, at, value }: Change<T>): TimeBounds & { readonly value: T } {
  return { ...hull([at.getTime(), timeOfId(id).getTime()]), value };
}

export function inForceBy<T>(changes: readonly (TimeBounds & { readonly value: T })[]): InForce<T>[] {
  return changes.map(({ fromMs, value }, index) => ({
    value,
    fromMs,
    untilMs: changes[index + 1]?.untilMs ?? Infinity,
  }));
}

/** Taken from the id. If the clock stepped back, anywhere between the draw's start and that time. */
export function openedAt(draw: { readonly id: string; readonly opens_at: Date; readonly closes_at: Date }): TimeBounds {
  const [idAt, opensMs, closesMs] = [timeOfId(draw.id).getTime(), draw.opens_at.getTime(), draw.closes_at.getTime()];
  const agrees = opensMs - SLACK_MS <= idAt && idAt <= closesMs + SLACK_MS;
  return hull(agrees ? [idAt] : [idAt, opensMs, closesMs]);
}

/** Oldest first. */
export function inForceDuring<T>(periods: readonly InForce<T>[], bounds: TimeBounds): T[] {
  return periods
    .filter(({ fromMs, untilMs }) => fromMs - SLACK_MS <= bounds.untilMs && bounds.fromMs <= untilMs + SLACK_MS)
    .map(({ value }) => value);
}

function hull(times: readonly number[]): TimeBounds {
  return { fromMs: Math.min(...times), untilMs: Math.max(...times) };
}
