import { percentOf } from '@drawhouse/contract/core/primitives';
import type { GameRules } from '@drawhouse/rules/games/game-rules';
import { Findings, LOGGED_AT, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { boosterOdds } from '@drawhouse/rules/fair/booster';
import { baseReturn } from '@drawhouse/rules/games/rules';
import { LRUCache } from 'lru-cache';
import {
  changedAt,
  inForceAtFirst,
  inForceDuring,
  openedAt,
  inForceBy,
  SLACK_MS,
  type InForce,
} from './audit-terms.ts';
import type { AuditedDrawRow } from '../audited-rows.ts';
import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { sql } from '../../platform/db/sql/sql.ts';

interface LoggedPercentage {
  readonly periods: readonly InForce<number | null>[];
  /** Can precede the first percentage. */
  readonly assignedMs: number;
}

export type LoggedPercentages = ReadonlyMap<string, LoggedPercentage>;

const keyOf = (networkId: number, gameId: string): string => `${networkId} ${gameId}`;

/** Also checks current percentages. Newly assigned games have none. */
export async function readLoggedPercentages(db: Queryable): Promise<{ logged: LoggedPercentages; check: Check }> {
  const rows = await db.query<{ network_id: number; game_id: string; id: string; at: Date; percentage: unknown }>(
    sql`select n.id as network_id, g.id as game_id, logged.id, at, percentage
     from (select id, ${LOGGED_AT} as at, change ->> 'adminId' as admin_id, change ->> 'gameId' as game_key,
       change -> 'after' as percentage
           from audited.standing_activity, jsonb_path_query(detail, '$.percentages[*]') as change where detail ? 'percentages') as logged
     join networks n on n.admin_id::text = logged.admin_id join games g using (game_key) order by logged.id`,
  );
  const logged = Map.groupBy(rows, (row) => keyOf(row.network_id, row.game_id));
  const pairs = await db.query<{
    network_id: number;
    game_id: string;
    game_key: string;
    assigned_at: Date;
    win_percentage: number | null;
  }>(
    sql`select network_id, game_id, game_key, assigned_at, win_percentage from network_games join games g on g.id = game_id`,
  );
  const assigned = new Map(pairs.map((pair) => [keyOf(pair.network_id, pair.game_id), pair]));
  const byPair = new Map<string, LoggedPercentage>();
  for (const key of new Set([...logged.keys(), ...assigned.keys()])) {
    const changes = (logged.get(key) ?? []).map(({ id, at, percentage }) =>
      changedAt({ id, at, value: typeof percentage === 'number' ? percentage : null }),
    );
    const periods = inForceBy([inForceAtFirst(null), ...changes]);
    byPair.set(key, { periods, assignedMs: assigned.get(key)?.assigned_at.getTime() ?? Infinity });
  }
  const found = new Findings();
  for (const [key, { network_id, game_key, win_percentage }] of assigned) {
    const { periods, assignedMs } = byPair.get(key)!;
    const last = periods.at(-1)!;
    const actual = win_percentage === null ? null : percentOf(win_percentage);
    if (actual !== last.value && !(actual === null && last.fromMs <= assignedMs + SLACK_MS))
      found.add(
        `game ${game_key} of network ${network_id} has the win percentage ${actual ?? 'none'}, but the log says ${last.value ?? 'none'}`,
      );
  }
  return {
    logged: byPair,
    check: { name: 'every win percentage is as logged', rows: pairs.length, problems: found.problems },
  };
}

const odds = new LRUCache<string, string>({ max: 2_000 });

function weightsOf(rules: GameRules, winPercentage: number | null): string {
  const aim = { baseReturn: baseReturn(rules), winPercentage, max: rules.maxBooster };
  const key = JSON.stringify(aim);
  const same = odds.get(key);
  if (same !== undefined) return same;
  const weights = JSON.stringify(boosterOdds(aim));
  odds.set(key, weights);
  return weights;
}

export function problemsOfOdds(
  draw: Pick<AuditedDrawRow, 'id' | 'network_id' | 'game_id' | 'weights' | 'opens_at' | 'closes_at'> &
    Pick<DrawTerms, 'result_mode'>,
  rules: GameRules,
  logged: LoggedPercentages,
): string[] {
  const { network_id, game_id, weights } = draw;
  const opened = openedAt(draw);
  const { periods, assignedMs } = logged.get(keyOf(network_id, game_id)) ?? { periods: [], assignedMs: Infinity };
  const then = new Set(inForceDuring(periods, opened));
  const lastLoggedMs = periods.findLast(({ fromMs }) => fromMs <= opened.fromMs)?.fromMs ?? -Infinity;
  // Unassigning a game removes the percentage.
  if (lastLoggedMs <= assignedMs + SLACK_MS) then.add(null);
  // Outside results have booster 1.
  if (draw.result_mode === 'outside') {
    then.clear();
    then.add(null);
  }
  const actual = JSON.stringify(weights);
  for (const winPercentage of then) if (weightsOf(rules, winPercentage) === actual) return [];
  return [`Its weights do not match the logged win percentage, ${[...then].at(-1) ?? 'none'}.`];
}
