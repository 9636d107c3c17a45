import { pointsOf } from '@drawhouse/contract/core/primitives';
import { drawPage, type DrawPage } from '@drawhouse/contract/reports/object-pages';
import { CONFIRMED_BY, readLogNaming, SAVED_BY } from '../../activity/log-source.ts';
import type { Actor } from '../../accounts/authority.ts';
import { drawNotFoundMessage } from '../../draws/states/missing-draws.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { outcomeImages } from '../../games/catalogue/game-images.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { inSubtreeEver, selectVisible } from '../../platform/db/visibility-predicate.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { type BoundRoute, type Call, handle } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { readReport } from '../../platform/lists/read-report.ts';
import type { Services } from '../../platform/services.ts';
import { findScope } from '../bet-list/bet-list.sql.ts';
import { shownResult } from '../bet-list/bet-rows.ts';
import { loginOf, personName } from '../../auth/logins/person.ts';

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

interface CorrectionRow {
  readonly nth: number;
  readonly at: Date;
  readonly done_at: Date | null;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
  readonly by: string;
  readonly by_login: string | null;
  readonly confirmed_by: string;
  readonly confirmed_login: string | null;
}

interface Sums {
  readonly nth: number;
  readonly tickets: bigint;
  readonly paid: bigint;
  readonly taken_back: bigint;
  readonly short: bigint;
}

/** In order. Sums cover the players below the actor. */
async function readDrawCorrections(
  on: Queryable,
  actor: Actor,
  { networkId, drawId }: { readonly networkId: number; readonly drawId: string },
): Promise<DrawPage['corrections']> {
  const rows = await on.query<CorrectionRow>(
    sql`select c.nth, c.at, c.done_at, c.before_label as before, c.after_label as after, c.reason, asker.username as by,
        l.name as by_login, decider.username as confirmed_by, dl.name as confirmed_login
      from corrections c join approvals p on p.network_id = ${networkId} and p.id = c.approval
      join accounts asker on asker.id = p.account_id join accounts decider on decider.id = p.decided_by
      left join ${loginOf('asker', 'p')}
      left join logins dl on dl.network_id = decider.network_id and dl.account_id = decider.id and dl.number = p.decided_login
      where c.network_id = ${networkId} and c.draw_id = ${drawId} order by c.nth`,
  );
  if (rows.length === 0) return [];
  const sums = await on.query<Sums>(
    selectVisible({
      select: sql`c.nth, count(*) as tickets, coalesce(sum(c.moved) filter (where c.moved > 0), 0)::bigint as paid,
        coalesce(-sum(c.moved) filter (where c.moved < 0), 0)::bigint as taken_back, sum(c.paid - c.win)::bigint as short`,
      from: sql`ticket_corrections c join accounts a on a.id = c.account_id`,
      where: sql`c.network_id = ${networkId} and c.draw_id = ${drawId}`,
      authority: inSubtreeEver('a', actor),
      by: sql`c.nth`,
    }),
  );
  const ownsNetwork = actor.role === 'superadmin' || actor.role === 'admin';
  return rows.map((row) => {
    const moved = sums.find(({ nth }) => nth === row.nth);
    return {
      at: row.at.toISOString(),
      before: row.before,
      after: row.after,
      reason: row.reason,
      by: ownsNetwork ? personName(row.by, row.by_login) : null,
      confirmedBy: ownsNetwork ? personName(row.confirmed_by, row.confirmed_login) : null,
      tickets: Number(moved?.tickets ?? 0n),
      paid: pointsOf(moved?.paid ?? 0n),
      takenBack: pointsOf(moved?.taken_back ?? 0n),
      short: pointsOf(moved?.short ?? 0n),
      doneAt: row.done_at?.toISOString() ?? null,
    };
  });
}
