import type { Limits } from '@drawhouse/contract/games/game-pair';
import type { GameLimits, LimitName } from '@drawhouse/contract/games/limits';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../../accounts/authority.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { listPairs, type PairRow } from '../games.sql.ts';
import { lockPairs, pairId, panelChanged } from './pairs.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { GAME_TEXTS } from '../games-texts.ts';

const COLUMNS = { perNumber: 'per_number', perTicket: 'per_ticket', perPlayer: 'per_player' } as const satisfies Record<
  LimitName,
  keyof PairRow
>;
const NAMES = Object.keys(COLUMNS) as LimitName[];

/** In points. Null clears; missing fields stay. */
export type LimitsUpdate = { readonly id: string } & { readonly [Name in LimitName]?: number | null };

export function limitsOfPair(pair: Pick<PairRow, (typeof COLUMNS)[LimitName]>): Limits {
  const points = (amount: bigint | null): number | null => (amount === null ? null : pointsOf(amount));
  return { perNumber: points(pair.per_number), perTicket: points(pair.per_ticket), perPlayer: points(pair.per_player) };
}

function toRow(pair: PairRow): GameLimits {
  return {
    id: pairId(pair),
    gameId: pair.game_key,
    gameName: pair.name,
    unitPrice: pointsOf(pair.unit_price),
    ...limitsOfPair(pair),
  };
}

export async function readGameLimits(on: Queryable, actor: Actor, adminId: string): Promise<GameLimits[]> {
  await requireAdmin(on, actor, adminId);
  return (await listPairs(on, actor)).filter((pair) => pair.admin_id === adminId).map(toRow);
}

/** All or none. */
export async function changeLimits(
  services: Services,
  call: Call<Actor>,
  adminId: string,
  updates: readonly LimitsUpdate[],
): Promise<{ message: string; data: GameLimits[] }> {
  return runCommand(services, call, async (tx) => {
    const username = await requireAdmin(tx, call.actor, adminId);
    const pairs = await lockPairs(tx, call.actor, updates, adminId);
    const set = pairs.map((pair, index) => withLimits(pair, updates[index]!));
    for (const [index, pair] of set.entries()) {
      refuseBelowUnit(pair, updates[index]!, index);
      refuseContradiction(pair, index);
    }
    await tx.query(
      sql`update network_games ng set per_number = wanted.per_number, per_ticket = wanted.per_ticket, per_player = wanted.per_player
       from unnest(${set.map((pair) => pair.game_id)}::uuid[], ${set.map((pair) => pair.per_number)}::bigint[],
                   ${set.map((pair) => pair.per_ticket)}::bigint[], ${set.map((pair) => pair.per_player)}::bigint[])
         as wanted (game_id, per_number, per_ticket, per_player)
       where ng.network_id = ${pairs[0]!.network_id} and ng.game_id = wanted.game_id`,
    );
    for (const pair of set) panelChanged(services, tx, pair);
    const changes = set.flatMap((pair, index) => {
      const [before, after] = [limitsOfPair(pairs[index]!), limitsOfPair(pair)];
      const isSame = NAMES.every((name) => pairs[index]![COLUMNS[name]] === pair[COLUMNS[name]]);
      return isSame ? [] : [{ pair, before, after }];
    });
    const [first] = changes;
    return {
      result: { message: GAME_TEXTS.limitsSet, data: set.map(toRow) },
      subject: first
        ? `Set limits of ${changes.length === 1 ? first.pair.name : `${changes.length} games`} of ${username}`
        : null,
      detail: {
        adminId,
        adminName: username,
        limits: changes.map(({ pair, before, after }) => ({
          gameId: pair.game_key,
          gameName: pair.name,
          before,
          after,
        })),
      },
    };
  });
}

function withLimits(pair: PairRow, update: LimitsUpdate): PairRow {
  const given = NAMES.flatMap((name) => {
    const points = update[name];
    return points === undefined ? [] : [[COLUMNS[name], points === null ? null : hundredthsOf(points)]];
  });
  return { ...pair, ...(Object.fromEntries(given) as Partial<PairRow>) };
}

/** Limits below one unit would refuse every bet. Unchanged limits are exempt, since the price may have risen. */
function refuseBelowUnit(pair: PairRow, update: LimitsUpdate, index: number): void {
  for (const name of NAMES) {
    const limit = pair[COLUMNS[name]];
    if (update[name] == null || limit === null || limit >= pair.unit_price) continue;
    const message = GAME_TEXTS.belowUnit(pointsOf(pair.unit_price));
    throw new CallError('INVALID_INPUT', { fields: { [`updates.${index}.${name}`]: message } });
  }
}

/** A ticket belongs to one player and draw, so its limit cannot exceed the player's. */
function refuseContradiction({ per_ticket, per_player }: PairRow, index: number): void {
  if (per_ticket === null || per_player === null || per_ticket <= per_player) return;
  const message = GAME_TEXTS.abovePlayer(pointsOf(per_player));
  throw new CallError('INVALID_INPUT', { fields: { [`updates.${index}.perTicket`]: message } });
}

export async function requireAdmin(on: Queryable, actor: Actor, adminId: string): Promise<string> {
  const [admin] = await on.query<{ username: string }>(
    sql`select a.username from accounts a where a.id = ${adminId} and a.role = 'admin' and ${inSubtree('a', actor)}`,
  );
  if (!admin) throw new CallError('NOT_FOUND', { message: GAME_TEXTS.noAdmin });
  return admin.username;
}
