import { NO_WIN_PERCENTAGE, type setPercentages } from '@drawhouse/contract/games/percentages';
import { percentHundredthsOf, percentOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { mostWinPercentage } from '@drawhouse/rules/fair/booster';
import { baseReturn } from '@drawhouse/rules/games/rules';
import type { Actor } from '../../accounts/authority.ts';
import { percentWords } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { rulesOf, type PairRow } from '../games.sql.ts';
import { lockPairs, panelChanged } from '../pairs/pairs.ts';
import { readPercentages } from './read-percentages.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { GAME_TEXTS } from '../games-texts.ts';

export interface NextDraw {
  readonly number: number;
  readonly opensAt: Date;
}

export type FindNextDraws = (on: Queryable, pairs: readonly PairRow[]) => Promise<(NextDraw | undefined)[]>;

export interface PercentageUpdate {
  readonly id: string;
  readonly winpercentage: number;
}

/** All or none; applies to unopened draws. */
export async function changePercentages(
  services: Services,
  findNextDraws: FindNextDraws,
  call: Call<Actor>,
  updates: readonly PercentageUpdate[],
): Promise<RouteResult<typeof setPercentages>> {
  return runCommand(services, call, async (tx) => {
    const pairs = await lockPairs(tx, call.actor, updates);
    requireReachable(pairs, updates);
    const wanted = updates.map(({ winpercentage }) =>
      winpercentage === NO_WIN_PERCENTAGE ? null : percentHundredthsOf(winpercentage),
    );
    const set = pairs.map((pair, index): PairRow => ({ ...pair, win_percentage: wanted[index] ?? null }));
    for (const [networkId, its] of Map.groupBy(set, (pair) => pair.network_id))
      await tx.query(
        sql`update network_games ng set win_percentage = wanted.percentage
          from unnest(${its.map((pair) => pair.game_id)}::uuid[], ${its.map((pair) => pair.win_percentage)}::int[]) as wanted
          (game_id, percentage)
         where ng.network_id = ${networkId} and ng.game_id = wanted.game_id`,
      );
    const changes = pairs.flatMap((pair, index) =>
      pair.win_percentage === wanted[index]
        ? []
        : [{ pair, before: shownPercent(pair.win_percentage), after: shownPercent(wanted[index] ?? null) }],
    );
    for (const { pair } of changes) panelChanged(services, tx, pair);
    const rows = await readPercentages(services, tx, set);
    const next = await findNextDraws(tx, set);
    return {
      result: {
        message: pairs.length === 1 ? GAME_TEXTS.percentageSet : GAME_TEXTS.percentagesSet(pairs.length),
        data: rows.map((row, index) => {
          const draw = next[index];
          return { ...row, holdsFrom: draw ? { number: draw.number, opensAt: draw.opensAt.toISOString() } : null };
        }),
      },
      subject: subjectOf(changes),
      detail: {
        percentages: changes.map(({ pair, before, after }) => ({
          adminId: pair.admin_id,
          adminName: pair.admin_username,
          gameId: pair.game_key,
          gameName: pair.name,
          before,
          after,
        })),
      },
    };
  });
}

function requireReachable(pairs: readonly PairRow[], updates: readonly PercentageUpdate[]): void {
  const fields = pairs.flatMap((pair, index) => {
    const rules = rulesOf(pair);
    const most = mostWinPercentage({ baseReturn: baseReturn(rules), max: rules.maxBooster });
    if (updates[index]!.winpercentage <= most) return [];
    return [
      [
        `updates.${index}.winpercentage`,
        GAME_TEXTS.percentageTooHigh(most, pair.name, pair.admin_username, rules.maxBooster),
      ],
    ];
  });
  if (fields.length > 0) throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
}

function shownPercent(hundredths: number | null): number | null {
  return hundredths === null ? null : percentOf(hundredths);
}

function subjectOf(changes: readonly { pair: PairRow; before: number | null; after: number | null }[]): string | null {
  const [first] = changes;
  if (!first) return null;
  if (changes.length > 1) return `Set ${changes.length} win percentages`;
  const { pair, before, after } = first;
  const words = (percent: number | null): string => percentWords(percent) ?? 'none';
  return `Set the win percentage of ${pair.name} of ${pair.admin_username} to ${words(after)}, before ${words(before)}`;
}
