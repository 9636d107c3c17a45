import type { DrawPage } from '@drawhouse/contract/reports/draw-page';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../../accounts/authority.ts';
import { loginOf, personName } from '../../auth/logins/person.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { inSubtreeEver, selectVisible } from '../../platform/db/visibility-predicate.ts';

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
export async function readDrawCorrections(
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
