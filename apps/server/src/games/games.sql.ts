import type { RESULT_MODES } from '@drawhouse/contract/games/game-pair';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { PanelKey } from '../platform/services.ts';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import type { Pays } from '@drawhouse/rules/games/pays';
import { rulesFor, type GameRules } from '@drawhouse/rules/games/rules';
import type { ClockSchedule, Closures } from '@drawhouse/rules/time/clock-slots';
import type { Cadence } from '@drawhouse/rules/time/schedule';
import { inSubtree, type Viewer } from '../platform/db/visibility-predicate.ts';
import { singleNetworkOf, crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

export interface GameRow {
  game_id: string;
  /** `gameId` in the API, panels and tickets. */
  game_key: string;
  name: string;
  family: FamilyName;
  digits: number;
  status: string;
  unit_price: bigint;
  /** Hundredths per unit, by head. Null: family defaults. */
  pays: Pays | null;
  result_mode: (typeof RESULT_MODES)[number];
  manual_claims: boolean;
  interval_seconds: number;
}

export interface TimedGame extends GameRow {
  /** Replaces the interval. */
  schedule: ClockSchedule | null;
  time_zone: string;
}

/** A catalogue game has no closures; each admin's has its own. */
export function cadenceOf(
  game: Pick<TimedGame, 'interval_seconds' | 'schedule' | 'time_zone'> & { readonly closures?: Closures | null },
): Cadence {
  const { interval_seconds: seconds, schedule, time_zone: timeZone, closures = null } = game;
  return { seconds, schedule, timeZone, closures };
}

/** Uses a draw's pays at opening. */
export function rulesOf(game: Pick<GameRow, 'game_key' | 'family' | 'digits' | 'pays'>): GameRules {
  return rulesFor({ gameId: game.game_key, family: game.family, digits: game.digits, pays: game.pays });
}

export interface PairRow extends TimedGame {
  network_id: number;
  admin_id: string;
  admin_username: string;
  test_network: boolean;
  win_percentage: number | null;
  /** Per bet and draw over all players, per ticket, per player and draw. Null: none. */
  per_number: bigint | null;
  per_ticket: bigint | null;
  per_player: bigint | null;
  beacons: string[];
  closures: Closures | null;
  /** Game, admin and superadmin are active, so draws open. */
  running: boolean;
}

export const INTERVAL =
  '(select t.seconds from game_times gt join times t on t.id = gt.time_id where gt.game_id = g.id order by gt.position limit 1)';
/** `terms`: table of the terms. Draws finished before mode and claims became terms use their game's. */
export const gameColumns = (terms: 'g' | 'terms'): string =>
  `g.id as game_id, g.game_key, g.name, g.family, g.digits, g.status, ${terms}.unit_price, ${terms}.pays,
  coalesce(${terms}.result_mode, g.result_mode) as result_mode, coalesce(${terms}.manual_claims, g.manual_claims) as manual_claims,
  ${INTERVAL} as interval_seconds`;
/** Beyond {@link GameRow}. The time zone is fixed at the first start. */
export const GAME_TIMES = `case when g.schedule_id is not null then (select s.plan from schedules s where s.id = g.schedule_id)
    end as schedule,
  coalesce((select value from pinned_settings where name = 'time-zone'), 'UTC') as time_zone`;
export const GAME = `${gameColumns('g')}, ${GAME_TIMES}`;

export const ADMIN_RUNS = sql`(a.deleted_at is null
  and not exists (select from accounts up where up.id = any(a.chain) and not up.active))`;

/** Columns of {@link PairRow} for `ng` (network_games), `g` and admin `a`. */
const pairColumns = (adminRuns: Sql): Sql =>
  sql`${sql.raw(GAME)}, ng.network_id, a.id as admin_id, a.username as admin_username, a.test_network, ng.win_percentage,
  ng.per_number, ng.per_ticket, ng.per_player, ng.beacons, ng.closures, (g.status = 'active' and ${adminRuns}) as running`;
export const PAIR = pairColumns(ADMIN_RUNS);

export const PAIR_FROM = sql`network_games ng join games g on g.id = ng.game_id
  join networks n on n.id = ng.network_id join accounts a on a.id = n.admin_id`;

/** Some logins are restricted to some games. */
const mayOpen = ({ games = [] }: Pick<Viewer, 'games'>): Sql =>
  sql`(cardinality(${[...games]}::uuid[]) = 0 or ng.game_id = any(${[...games]}::uuid[]))`;

/** Evaluates each admin once, which matters for thousands of pairs. */
const withPairs = (admins: Sql, pairs: Sql): Sql => sql`
  with admins as materialized (
    select n.id as network_id, a.id, a.username, a.test_network, ${ADMIN_RUNS} as runs from networks n join accounts a on a.id = n.admin_id
    ${admins}
  ), pair as materialized (
    select ${pairColumns(sql`a.runs`)} from network_games ng join games g on g.id = ng.game_id join admins a on a.network_id = ng.network_id
    ${pairs}
  )`;

export const allPairs = (): Sql => withPairs(sql``, sql``);

export const pairsOfNetwork = (networkId: number): Sql =>
  withPairs(sql`where n.id = ${networkId}`, sql`where ng.network_id = ${networkId}`);

/** Pairs at or below the account; in one network, if the account sees only one. */
export const pairsOperatedBy = (viewer: Viewer): Sql => {
  const one = singleNetworkOf(viewer);
  if (one === undefined) return withPairs(sql`where ${inSubtree('a', viewer)}`, sql`where ${mayOpen(viewer)}`);
  return withPairs(
    sql`where n.id = ${one} and ${inSubtree('a', viewer)}`,
    sql`where ng.network_id = ${one} and ${mayOpen(viewer)}`,
  );
};

/** Undefined outside the actor's subtree. `locked` blocks deletion. */
export async function findOperatedPair(
  on: Queryable,
  actor: Actor,
  gameKey: string,
  adminId: string,
  locked = false,
): Promise<PairRow | undefined> {
  const networkId = await networkOperated(on, actor, adminId);
  if (networkId === undefined) return undefined;
  const [row] = await on.query<PairRow>(
    sql`select ${PAIR} from ${PAIR_FROM} where ng.network_id = ${networkId} and g.game_key = ${gameKey} and a.id = ${adminId}
      and ${mayOpen(actor)} and ${inSubtree('a', actor)}${sql.raw(locked ? ' and g.deleted_at is null for key share of g' : '')}`.named(
      locked ? 'pair-locked' : 'pair-operated',
    ),
  );
  return row;
}

/** Own network, or one below a superadmin; else undefined. */
async function networkOperated(on: Queryable, actor: Actor, adminId: string): Promise<number | undefined> {
  const own = singleNetworkOf(actor);
  if (own !== undefined) return own;
  const [network] = await on.query<{ id: number }>(
    sql`select n.id from networks n join accounts a on a.id = n.admin_id where a.id = ${adminId} and ${inSubtree('a', actor)}`.named(
      'network-operated',
    ),
  );
  return network?.id;
}

export interface OwnPairRow extends PairRow {
  operators: string[];
}

export async function findOwnPair(on: Queryable, { networkId, gameKey }: PanelKey): Promise<OwnPairRow | undefined> {
  const [row] = await on.query<OwnPairRow>(
    sql`select ${PAIR}, a.chain as operators from ${PAIR_FROM} where g.game_key = ${gameKey} and ng.network_id = ${networkId}`.named(
      'pair-own',
    ),
  );
  return row;
}

export async function activeGames(on: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, TimedGame>> {
  const rows = await on.query<TimedGame>(
    sql`select ${sql.raw(GAME)} from games g where g.id = any(${ids}::uuid[]) and g.status = 'active'`.named(
      'games-active',
    ),
  );
  return new Map(rows.map((row) => [row.game_id, row]));
}

export async function findCadence(on: Queryable, gameKey: string): Promise<Cadence | undefined> {
  const [row] = await on.query<TimedGame>(
    sql`select ${sql.raw(GAME)} from games g where g.game_key = ${gameKey} and g.deleted_at is null`,
  );
  return row && cadenceOf(row);
}

export async function listPairs(on: Queryable, actor: Actor): Promise<PairRow[]> {
  const one = singleNetworkOf(actor);
  const seen =
    one === undefined
      ? sql`${inSubtree('a', actor)} ${sql.raw(crossNetworkComment('superadmin'))}`
      : sql`ng.network_id = ${one}`;
  return on.query<PairRow>(
    sql`select ${PAIR} from ${PAIR_FROM} where ${seen} and ${mayOpen(actor)} and a.deleted_at is null
      order by lower(g.name) collate natural_order, lower(a.username) collate natural_order`,
  );
}

/** False after a restore, which gives the network a new number. */
export async function isNetwork(on: Queryable, networkId: number): Promise<boolean> {
  const found = await on.query(sql`select from networks where id = ${networkId}`.named('network-is'));
  return found.length > 0;
}

export async function playableGames(on: Queryable, gameKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await on.query<{ game_key: string }>(
    sql`select g.game_key from games g where g.game_key = any(${gameKeys}::text[]) and g.status = 'active' and g.deleted_at is null
       and exists (select from network_games ng join networks n on n.id = ng.network_id join accounts a on a.id = n.admin_id
                   where ng.game_id = g.id and ${ADMIN_RUNS}) ${sql.raw(crossNetworkComment('landing'))}`.named(
      'games-playable',
    ),
  );
  return new Set(rows.map((row) => row.game_key));
}
