import { pointsOf } from '@drawhouse/contract/core/primitives';
import { drawPage, type DrawPage } from '@drawhouse/contract/reports/draw-page';
import { CONFIRMED_BY, SAVED_BY } from '../../activity/logged-person.ts';
import type { Actor } from '../../accounts/authority.ts';
import { readLogNaming } from '../../activity/log-source.ts';
import { drawNotFoundMessage } from '../../draws/states/missing-draws.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { outcomeImages } from '../../games/catalogue/game-images.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { inSubtreeEver, selectVisible } from '../../platform/db/visibility-predicate.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { handle, type BoundRoute, type Call } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { readReport } from '../../platform/lists/read-report.ts';
import type { Services } from '../../platform/services.ts';
import { findScope } from '../bet-list/bet-list.sql.ts';
import { shownResult } from '../bet-list/bet-rows.ts';
import { readDrawCorrections } from './draw-corrections.ts';

export function drawPageRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(drawPage, async ({ params: { drawId } }, call: Call<Actor>) => {
      const found = await readReport(services, call, (on) =>
        readDrawPage(on, call.actor, { drawId, now: services.clock.now() }),
      );
      if (found) return found;
      throw new CallError('NOT_FOUND', { message: await drawNotFoundMessage(services, drawId) });
    }),
  ];
}

interface Row extends Pick<
  DrawRow,
  | 'game_id'
  | 'game_key'
  | 'family'
  | 'digits'
  | 'draw_status'
  | 'result'
  | 'opens_at'
  | 'draws_at'
  | 'saved_at'
  | 'saved_ip'
> {
  network_id: number;
  finished_at: Date | null;
  admin_id: string;
  admin: string;
  saved_by: string | null;
  confirmed_by: string | null;
}

/** Corrections come up to a day after the end. */
const DAY_MS = 86_400_000;

async function readDrawPage(
  on: Queryable,
  actor: Actor,
  { drawId, now }: { readonly drawId: string; readonly now: Date },
): Promise<Omit<DrawPage, 'success'> | undefined> {
  const networks = (await findScope(on, actor, actor.id))?.networks ?? [];
  const [row] =
    await on.query<Row>(sql`select d.network_id, d.status as draw_status, d.result, coalesce(d.bets_from, d.opens_at) as opens_at,
      d.draws_at, d.finished_at,
      d.saved_at, d.saved_ip, ${SAVED_BY} as saved_by, ${CONFIRMED_BY} as confirmed_by,
      g.id as game_id, g.game_key, g.family, g.digits, admin.id as admin_id, admin.username as admin
    from unnest(${networks}::int[]) as n (id)
    join draws d on d.network_id = ${networkOrColumnSql(singleNetwork(networks), 'n.id')} and d.id = ${drawId}
    join games g on g.id = d.game_id join networks own on own.id = d.network_id join accounts admin on admin.id = own.admin_id`);
  if (!row) return undefined;
  const isPublic = row.draw_status === 'settled' || row.draw_status === 'settling';
  const ownsNetwork = actor.role === 'superadmin' || actor.role === 'admin';
  const until = (row.finished_at ?? now).getTime() + 2 * DAY_MS;
  return {
    admin: { _id: row.admin_id, username: row.admin },
    serverTime: now.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    outcome:
      isPublic && row.result
        ? shownResult(rulesOf({ ...row, pays: null }), await outcomeImages(on, row.game_id), row.result)
        : null,
    figures: await readFigures(on, actor, {
      networkId: row.network_id,
      drawId,
      isSettled: row.draw_status === 'settled',
    }),
    saved:
      ownsNetwork && row.saved_by !== null && row.saved_at !== null
        ? { by: row.saved_by, at: row.saved_at.toISOString(), ip: row.saved_ip, confirmedBy: row.confirmed_by }
        : null,
    corrections: await readDrawCorrections(on, actor, { networkId: row.network_id, drawId }),
    log: await readLogNaming(on, actor, {
      ids: [drawId],
      from: new Date(row.opens_at.getTime() - DAY_MS),
      until: new Date(Math.min(until, now.getTime() + DAY_MS)),
    }),
  };
}

async function readFigures(
  on: Queryable,
  actor: Actor,
  {
    networkId,
    drawId,
    isSettled,
  }: { readonly networkId: number; readonly drawId: string; readonly isSettled: boolean },
): Promise<DrawPage['figures']> {
  const authority = inSubtreeEver('a', actor);
  const [placed] = await on.query<{ tickets: bigint; players: bigint; stake: bigint }>(
    selectVisible({
      select: sql`count(*) as tickets, count(distinct t.account_id) as players, coalesce(sum(t.stake), 0)::bigint as stake`,
      from: sql`tickets t join accounts a on a.id = t.account_id`,
      where: sql`t.network_id = ${networkId} and t.draw_id = ${drawId}`,
      authority,
    }),
  );
  const [paid] = await on.query<{ win: bigint; commission: bigint }>(
    selectVisible({
      select: sql`coalesce(sum(p.win), 0)::bigint as win,
        coalesce(sum(p.super_commission + p.dist_commission + p.retail_commission + p.user_commission), 0)::bigint as commission`,
      from: sql`player_settlements p join accounts a on a.id = p.account_id`,
      where: sql`p.network_id = ${networkId} and p.draw_id = ${drawId}`,
      authority,
    }),
  );
  const [corrected] = await on.query<{ moved: bigint }>(
    selectVisible({
      select: sql`coalesce(sum(c.moved), 0)::bigint as moved`,
      from: sql`ticket_corrections c join accounts a on a.id = c.account_id`,
      where: sql`c.network_id = ${networkId} and c.draw_id = ${drawId}`,
      authority,
    }),
  );
  return {
    tickets: Number(placed!.tickets),
    players: Number(placed!.players),
    stake: pointsOf(placed!.stake),
    win: isSettled ? pointsOf(paid!.win + corrected!.moved) : null,
    commission: isSettled ? pointsOf(paid!.commission) : null,
  };
}
