import { highestBooster } from '@drawhouse/rules/fair/booster';
import { paidBy } from '@drawhouse/rules/games/wins';
import { worstResult } from '@drawhouse/rules/games/worst-result';
import { LRUCache } from 'lru-cache';
import { UNFINISHED } from '../../config/draw-states.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { enterDrawGate } from '../../draws/states/update-draw.ts';
import { DRAW, type DrawRow } from '../../draws/draws.sql.ts';
import type { TableNeeds } from '../../games/pairs/change-game-balance.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { allStakes } from '../tickets.sql.ts';
import { rateAtOpening } from '../../accounts/commission-rules.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

export type Stakes = ReadonlyMap<string, bigint>;

/** Draws `d` that may still cost a table. Matches index `draws_on_table`. */
const onTable = ({ network_id, game_id }: { readonly network_id: number; readonly game_id: string }): Sql =>
  sql`d.network_id = ${network_id} and d.game_id = ${game_id} and d.status in ${sql.raw(UNFINISHED)} and d.ticket_count is distinct from 0`;

/** `paid`: wins and players' own commissions so far. */
type Unsettled = DrawRow & { readonly paid: bigint };

/**
 * Maximum that unsettled draws can still cost a table. Sees committed bets only; callers lock out others. Reads
 * settlement state first, so a balance read later is low enough.
 */
export async function needOfTable(
  on: Queryable,
  table: Pick<DrawRow, 'network_id' | 'game_id'>,
  except?: string,
): Promise<bigint> {
  const draws = await on.query<Unsettled>(
    sql`select ${DRAW}, case when d.status = 'settling' then (
        select coalesce(sum(paid), 0)::bigint from settlement_pieces
          where network_id = ${table.network_id} and draw_id = d.id) else 0 end as paid
     from draws d join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id
     where ${onTable(table)} and d.id is distinct from ${except ?? null}::uuid order by d.opens_at`.named(
      'draws-on-table',
    ),
  );
  const needs = await Promise.all(draws.map(async (draw) => needOfDraw(draw, await playOf(on, draw))));
  return needs.reduce((sum, need) => sum + need, 0n);
}

export interface Play {
  readonly stakes: Stakes;
  readonly staked: bigint;
  /** Upper bound. */
  readonly commissions: bigint;
  readonly worst: bigint;
}

/** By draw and ticket count: closed draws are final, on every server and after a restore. Size counts bet keys. */
const closed = new LRUCache<string, Play>({ maxSize: 500_000, sizeCalculation: ({ stakes }) => stakes.size + 1 });

/** Cached for closed draws, since every bet on the next draw needs it. */
export async function playOf(on: Queryable, draw: DrawRow): Promise<Play> {
  const key = `${draw.id} ${draw.ticket_count}`;
  const found = draw.ticket_count === null ? undefined : closed.get(key);
  if (found) return found;
  const [stakes, commissions] = await Promise.all([allStakes(on, draw), commissionBound(on, draw)]);
  const worst = worstResult(rulesOf(draw), stakes, highestBooster(draw.weights))?.pays ?? 0n;
  const play = { stakes, staked: sumOf(stakes), commissions, worst };
  if (draw.ticket_count !== null) closed.set(key, play);
  return play;
}

/** Includes the cover, which may return to the admin. */
function needOfDraw(draw: Unsettled, play: Play): bigint {
  const cover = draw.cover ?? 0n;
  const costs = play.commissions - play.staked;
  switch (draw.draw_status) {
    case 'settling':
      // Stakes are already on the table and any cover is spent.
      return clampToZero(resultPays(draw, play) + play.commissions - draw.paid);
    case 'drawn': {
      const takes = clampToZero(resultPays(draw, play) + costs);
      return draw.source === 'declared' ? takes : takes + cover;
    }
    default: {
      const generated = cover + clampToZero(play.worst + costs);
      const declared = canBecomeFinal(draw) ? savedPays(draw, play) + costs : 0n;
      return generated > declared ? generated : declared;
    }
  }
}

function resultPays(draw: DrawRow, { stakes }: Play): bigint {
  return paidBy(rulesOf(draw), (key) => stakes.get(key) ?? 0n, draw.result!, draw.booster!);
}

function savedPays(draw: DrawRow, { stakes }: Play): bigint {
  return paidBy(rulesOf(draw), (key) => stakes.get(key) ?? 0n, draw.saved_result!, draw.saved_booster!);
}

/** Possibly after a confirmation. */
function canBecomeFinal(draw: DrawRow): boolean {
  return draw.saved_result !== null && draw.result_mode !== 'generated';
}

export const tableNeeds: TableNeeds = {
  async holdBets(tx, { network_id: networkId, game_key: gameKey }) {
    await enterDrawGate(tx, { networkId, gameKey }, 'close');
  },
  needOf: needOfTable,
};

export function sumOf(stakes: Stakes): bigint {
  return [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
}

function clampToZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

/** Upper bound at opening rates. Rounded up per account, so less than a hundredth each above settlement. */
async function commissionBound(
  on: Queryable,
  draw: Pick<DrawRow, 'network_id' | 'id' | 'rate_changes'>,
): Promise<bigint> {
  const [row] = await on.query<{ most: bigint }>(
    sql`select coalesce(sum(div(below.stake *
      ${rateAtOpening('earner', { networkId: draw.network_id, changes: sql`${draw.rate_changes}` })} + 9999, 10000)), 0)::bigint as most
     from (
       select up.id, sum(played.stake) as stake
       from (select account_id, sum(stake) as stake from tickets
         where network_id = ${draw.network_id} and draw_id = ${draw.id} group by account_id) as played
       join accounts player on player.id = played.account_id cross join lateral unnest(player.chain[3:6]) as up (id)
       group by up.id
     ) as below join accounts earner on earner.id = below.id`.named('commission-bound'),
  );
  return row!.most;
}
