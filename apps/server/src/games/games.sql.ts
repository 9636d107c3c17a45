import type { RESULT_MODES } from '@drawhouse/contract/games/game-pair';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { PanelKey } from '../services.ts';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import type { GameRules } from '@drawhouse/rules/rules';
import type { Pays } from '@drawhouse/rules/pays';
import { rulesFor } from '@drawhouse/rules/rules';
import { inSubtree } from '../predicate.ts';
import { oneNetworkOf, overNetworks } from '../over-networks.ts';
import { pieceOf, sql } from '../db/sql.ts';

/** A game of the catalogue as the server works with it. */
export interface GameRow {
  /** Row id. */
  game_id: string;
  /** What the calls, panels and tickets name it by: their `gameId`. */
  game_key: string;
  name: string;
  family: FamilyName;
  digits: number;
  status: string;
  /** Price of one unit, in hundredths of a point. */
  unit_price: bigint;
  /** What each head pays, in hundredths per unit; null: what the family pays by default. */
  pays: Pays | null;
  result_mode: (typeof RESULT_MODES)[number];
  /** Whether wins wait until the player claims them. */
  manual_claims: boolean;
  interval_seconds: number;
}

/** The rules of a game, or of a draw: with the pays that it was opened with. Throws RangeError where there are none for it. */
export function rulesOf(game: Pick<GameRow, 'game_key' | 'family' | 'digits' | 'pays'>): GameRules {
  return rulesFor({ gameId: game.game_key, family: game.family, digits: game.digits, pays: game.pays });
}

/** One game of one network. */
export interface PairRow extends GameRow {
  network_id: number;
  admin_id: string;
  admin_username: string;
  /** Hundredths of a percent, or null. */
  win_percentage: number | null;
  /** The most that may be staked, in hundredths: on one bet of one draw, on one ticket, by one player on one draw. Null: no limit. */
  per_number: bigint | null;
  per_ticket: bigint | null;
  per_player: bigint | null;
  /** Public keys of the beacons that its draws use. */
  beacons: string[];
  /** Whether the game, its admin and the superadmin above are active: draws are opened for it. */
  running: boolean;
}

/** SQL for the draw interval of a game called `g`, in seconds. */
export const INTERVAL =
  '(select t.seconds from game_times gt join times t on t.id = gt.time_id where gt.game_id = g.id order by gt.position limit 1)';
/**
 * The columns of {@link GameRow} for a game called `g`, its terms as the given table has them: those of a draw are its own. Draws that were
 * finished before these were terms have no mode and claims of their own, and go by those of their game.
 */
export const gameColumns = (terms: 'g' | 'terms'): string =>
  `g.id as game_id, g.game_key, g.name, g.family, g.digits, g.status, ${terms}.unit_price, ${terms}.pays,
  coalesce(${terms}.result_mode, g.result_mode) as result_mode, coalesce(${terms}.manual_claims, g.manual_claims) as manual_claims,
  ${INTERVAL} as interval_seconds`;
/** The columns of {@link GameRow} for a game called `g`. */
export const GAME = gameColumns('g');

/** SQL for whether an admin's account `a` and the superadmin above it are active. */
export const ADMIN_RUNS = `(a.deleted_at is null
  and not exists (select from accounts up where up.id = any(a.chain) and not up.active))`;

/** The columns of {@link PairRow} for `ng` (network_games), `g` and the admin's account `a`, of which the SQL says whether it runs. */
const pairColumns = (adminRuns: string): string =>
  `${GAME}, ng.network_id, a.id as admin_id, a.username as admin_username, ng.win_percentage,
  ng.per_number, ng.per_ticket, ng.per_player, ng.beacons, (g.status = 'active' and ${adminRuns}) as running`;
/** The columns of {@link PairRow}. */
export const PAIR = pairColumns(ADMIN_RUNS);

/** The tables behind {@link PAIR}. */
export const PAIR_FROM = `network_games ng join games g on g.id = ng.game_id
  join networks n on n.id = ng.network_id join accounts a on a.id = n.admin_id`;

/** By which pairs are told from the others: the networks of their admins, and themselves. */
const AMONG = {
  all: { admins: '', pairs: '' },
  operated: { admins: `where ${inSubtree('a', '$2')}`, pairs: '' },
  operatedInOne: { admins: `where n.id = $3 and ${inSubtree('a', '$2')}`, pairs: 'where ng.network_id = $3' },
  network: { admins: 'where n.id = $2', pairs: 'where ng.network_id = $2' },
};

/**
 * SQL for a WITH that has all pairs, those of the admins at or below the account `$2`, in the network
 * `$3` alone or in several, or those of the network `$2`, as `pair`: for thousands at once, since what an admin is is found out once for all its games.
 */
export const pairsOf = (which: keyof typeof AMONG): string => `
  with admins as materialized (
    select n.id as network_id, a.id, a.username, ${ADMIN_RUNS} as runs from networks n join accounts a on a.id = n.admin_id
    ${AMONG[which].admins}
  ), pair as materialized (
    select ${pairColumns('a.runs')} from network_games ng join games g on g.id = ng.game_id join admins a on a.network_id = ng.network_id
    ${AMONG[which].pairs}
  )`;

/** One game of one admin in the actor's subtree, for those who operate it; undefined when there is none. `locked`: it can't be deleted meanwhile. */
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
    sql`select ${sql.raw(PAIR)} from ${sql.raw(PAIR_FROM)} where ng.network_id = ${networkId} and g.game_key = ${gameKey} and a.id = ${adminId} and ${pieceOf(inSubtree('a', '$1'), actor.id)}${sql.raw(locked ? ' and g.deleted_at is null for key share of g' : '')}`.named(
      locked ? 'pair-locked' : 'pair-operated',
    ),
  );
  return row;
}

/** The network of an admin that an actor operates: its own, or one that a superadmin has below it. Undefined where there is none. */
async function networkOperated(on: Queryable, actor: Actor, adminId: string): Promise<number | undefined> {
  const own = oneNetworkOf(actor);
  if (own !== undefined) return own;
  const [network] = await on.query<{ id: number }>(
    sql`select n.id from networks n join accounts a on a.id = n.admin_id where a.id = ${adminId} and ${pieceOf(inSubtree('a', '$1'), actor.id)}`.named(
      'network-operated',
    ),
  );
  return network?.id;
}

/** One game of a network, and whose that is. */
export interface OwnPairRow extends PairRow {
  /** The superadmin above the admin, and the admin: those who operate it. */
  operators: string[];
}

/** One game of a network; undefined when the network does not have it. */
export async function findOwnPair(on: Queryable, { networkId, gameKey }: PanelKey): Promise<OwnPairRow | undefined> {
  const [row] = await on.query<OwnPairRow>(
    sql`select ${sql.raw(PAIR)}, a.chain as operators from ${sql.raw(PAIR_FROM)} where g.game_key = ${gameKey} and ng.network_id = ${networkId}`.named(
      'pair-own',
    ),
  );
  return row;
}

/** Those of some games that are active, by their ids. */
export async function activeGames(on: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, GameRow>> {
  const rows = await on.query<GameRow>(
    sql`select ${sql.raw(GAME)} from games g where g.id = any(${ids}::uuid[]) and g.status = 'active'`.named(
      'games-active',
    ),
  );
  return new Map(rows.map((row) => [row.game_id, row]));
}

/** The draw interval of a game in seconds; undefined when there is no such game. */
export async function intervalOf(on: Queryable, gameKey: string): Promise<number | undefined> {
  const [row] = await on.query<Pick<GameRow, 'interval_seconds'>>(
    sql`select ${sql.raw(GAME)} from games g where g.game_key = ${gameKey} and g.deleted_at is null`,
  );
  return row?.interval_seconds;
}

/** Every game and admin pair that the actor sees: below a superadmin, or of its own network. */
export async function listPairs(on: Queryable, actor: Actor): Promise<PairRow[]> {
  const one = oneNetworkOf(actor);
  const seen = one === undefined ? `${inSubtree('a', '$1')} ${overNetworks('superadmin')}` : 'ng.network_id = $1';
  return on.query<PairRow>(
    `select ${PAIR} from ${PAIR_FROM} where ${seen} and a.deleted_at is null order by g.name, a.username`,
    [one ?? actor.id],
  );
}

/** Whether a network has this number: a restore gives it another. */
export async function isNetwork(on: Queryable, networkId: number): Promise<boolean> {
  const found = await on.query(sql`select from networks where id = ${networkId}`.named('network-is'));
  return found.length > 0;
}

/** Those of some games, by their keys, that can be played: they are active, and a network has them whose admin is. */
export async function playableGames(on: Queryable, gameKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await on.query<{ game_key: string }>(
    sql`select g.game_key from games g where g.game_key = any(${gameKeys}::text[]) and g.status = 'active' and g.deleted_at is null
       and exists (select from network_games ng join networks n on n.id = ng.network_id join accounts a on a.id = n.admin_id
                   where ng.game_id = g.id and ${sql.raw(ADMIN_RUNS)}) ${sql.raw(overNetworks('landing'))}`.named(
      'games-playable',
    ),
  );
  return new Set(rows.map((row) => row.game_key));
}
