import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import type { Call } from '../platform/http/handler.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { PLAYER_TEXTS, PLAYER_SUBJECTS } from './players-texts.ts';

export async function areWinnersShown(on: Queryable, networkId: number): Promise<boolean> {
  const [row] = await on.query<{ winners_shown: boolean }>(
    sql`select winners_shown from landing_settings where network_id = ${networkId}`.named('landing-shown'),
  );
  return row?.winners_shown ?? true;
}

export async function showWinners(
  services: Services,
  call: Call<Actor>,
  shown: boolean,
  changed: () => void,
): Promise<{ message: string; shown: boolean }> {
  const { id: adminId, networkId, username } = call.actor;
  return runCommand(services, call, async (tx) => {
    const before = await areWinnersShown(tx, networkId);
    if (before !== shown)
      await tx.query(
        sql`insert into landing_settings (network_id, winners_shown) values (${networkId}, ${shown})
         on conflict (network_id) do update set winners_shown = excluded.winners_shown`,
      );
    tx.onCommit(changed);
    return {
      result: {
        message: shown ? PLAYER_TEXTS.winnersShown : PLAYER_TEXTS.winnersHidden,
        shown,
      },
      subject: before === shown ? null : PLAYER_SUBJECTS.winners(shown ? 'Showed' : 'Hid', username),
      detail: { adminId, winnersShown: shown },
      changes: changeOf('Winners on the landing page', inWords(before), inWords(shown)),
    };
  });
}

const inWords = (shown: boolean): string => (shown ? 'Shown' : 'Not shown');

export async function networksShown(on: Queryable): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    sql`select n.id from networks n join accounts a on a.id = n.admin_id
     where not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))
       and not exists (select from landing_settings s
         where s.network_id = n.id and not s.winners_shown) ${sql.raw(crossNetworkComment('landing'))}`.named(
      'landing-networks',
    ),
  );
  return rows.map(({ id }) => id);
}
