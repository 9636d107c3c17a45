import { hundredthsOf, pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import type { alertThresholds, setAlertThresholds } from '@drawhouse/contract/notices/notice-acts';
import type { RouteResult } from '@drawhouse/contract/core/route';
import type { Actor } from '../../accounts/authority.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Call } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { NOTICE_TEXTS } from './notices-texts.ts';

/** Null: no notice. */
interface Thresholds {
  readonly table_below: bigint | null;
  readonly worst_above: bigint | null;
}

const DEFAULT: Thresholds = { table_below: 0n, worst_above: null };

async function readRow(on: Queryable, networkId: number): Promise<Thresholds> {
  const [row] = await on.query<Thresholds>(
    sql`select table_below, worst_above from alert_thresholds where network_id = ${networkId}`,
  );
  return row ?? DEFAULT;
}

export async function readThresholds(on: Queryable, networkId: number): Promise<RouteResult<typeof alertThresholds>> {
  return inPoints(await readRow(on, networkId));
}

export async function setThresholds(
  services: Services,
  call: Call<Actor>,
  body: { readonly tableBelow: number | null; readonly worstAbove: number | null },
): Promise<RouteResult<typeof setAlertThresholds>> {
  const { id: adminId, networkId, username } = call.actor;
  const inHundredths = (value: number | null): bigint | null => (value === null ? null : hundredthsOf(value));
  const after: Thresholds = {
    table_below: inHundredths(body.tableBelow),
    worst_above: inHundredths(body.worstAbove),
  };
  return runCommand(services, call, async (tx) => {
    const before = await readRow(tx, networkId);
    const isSame = before.table_below === after.table_below && before.worst_above === after.worst_above;
    if (!isSame)
      await tx.query(
        sql`insert into alert_thresholds (network_id, table_below, worst_above)
            values (${networkId}, ${after.table_below}, ${after.worst_above})
            on conflict (network_id) do update set table_below = excluded.table_below, worst_above = excluded.worst_above`,
      );
    return {
      result: { message: NOTICE_TEXTS.alertsSaved, ...inPoints(after) },
      subject: isSame ? null : NOTICE_TEXTS.alertsChanged(username),
      detail: { adminId, ...inPoints(after) },
      changes: [
        ...changeOf('Table below', inWords(before.table_below), inWords(after.table_below)),
        ...changeOf('Worst case above', inWords(before.worst_above), inWords(after.worst_above)),
      ],
    };
  });
}

function inPoints({ table_below, worst_above }: Thresholds) {
  const shown = (value: bigint | null) => (value === null ? null : pointsOf(value));
  return { tableBelow: shown(table_below), worstAbove: shown(worst_above) };
}

const inWords = (value: bigint | null): string => (value === null ? 'No notice' : pointsText(value));
