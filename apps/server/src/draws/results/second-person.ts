import { CONFIRMED_BY, loggedPerson, SAVED_BY } from '../../activity/log-source.ts';
import { VOID_AFTER_HOURS } from '@drawhouse/contract/games/schedules';
import type { Actor } from '../../accounts/authority.ts';
import { isSamePerson, requireSeparatePersons } from '../../auth/logins/separate-persons.ts';
import type { Tx, Queryable } from '../../platform/db/database.ts';
import { addressKey } from '../../platform/http/request/address.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { DrawRow } from '../draws.sql.ts';
import { singleNetwork, crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { DRAW_TEXTS } from '../draws-texts.ts';

/**
 * Logins of one account count as one: its owner manages them, and the sealed draw names accounts. Throws RULE_REFUSED for
 * the saver's account, or as {@link requireSeparatePersons}.
 */
export async function requireSecondPerson(tx: Tx, draw: DrawRow, actor: Actor, now: Date): Promise<void> {
  if (draw.saved_by === null) return;
  const saver = { id: draw.saved_by, login: await loginOfSaver(tx, draw) };
  if (saver.id === actor.id) {
    const message = isSamePerson(saver, actor) ? DRAW_TEXTS.savedYourself : DRAW_TEXTS.savedByAccount;
    throw new CallError('RULE_REFUSED', { message });
  }
  await requireSeparatePersons(tx, saver, actor, now);
  // The owners as well, who manage the logins. The audit repeats this part.
  await requireSeparatePersons(tx, { id: draw.saved_by, login: 0 }, { id: actor.id, login: 0 }, now);
}

/** Draws name accounts, the log names logins. */
async function loginOfSaver(tx: Tx, { network_id, id }: DrawRow): Promise<number> {
  const saver = loggedPerson({
    by: sql`d.saved_by`,
    of: 'drawId',
    id: sql`d.id`,
    from: sql`d.saved_at`,
    column: sql`(l.detail ->> 'login')::int`,
  });
  const [row] = await tx.query<{ login: number | null }>(
    sql`select ${saver} as login from draws d where d.network_id = ${network_id} and d.id = ${id}`.named(
      'result-saver',
    ),
  );
  return row?.login ?? 0;
}

/** Compares /64 prefixes for IPv6. False if either address is unknown. */
export function isSameAddress({ saved_ip, confirmed_ip }: Pick<DrawRow, 'saved_ip' | 'confirmed_ip'>): boolean {
  return saved_ip !== null && confirmed_ip !== null && addressKey(saved_ip) === addressKey(confirmed_ip);
}

/** Longest wait for an outside result, in the index of due draws. */
const LONGEST_DEADLINE = sql.raw(`interval '${VOID_AFTER_HOURS.max} hours'`);

export async function readSavers(
  on: Queryable,
  { network_id, id }: Pick<DrawRow, 'network_id' | 'id'>,
): Promise<{ readonly by: string; readonly confirmed_by: string | null }> {
  const [names] = await on.query<{ by: string; confirmed_by: string | null }>(
    sql`select ${SAVED_BY} as by, ${CONFIRMED_BY} as confirmed_by from draws d
      where d.network_id = ${network_id} and d.id = ${id}`.named('result-savers'),
  );
  return names!;
}

export interface DrawToConfirm {
  readonly game_key: string;
  readonly game_name: string;
  readonly admin_id: string;
  readonly admin_username: string;
  readonly saved_by: string | null;
  readonly outside: string | null;
  /** Draw time, or deadline of an outside result. */
  readonly until: Date;
}

/**
 * Includes outside draws without result. Earliest end first. Uses the index of due draws. Same condition as
 * `awaitsSecond`.
 */
export async function drawsToConfirm(
  on: Queryable,
  networkIds: readonly number[],
  now: Date,
): Promise<DrawToConfirm[]> {
  const one = singleNetwork(networkIds);
  return on.query<DrawToConfirm>(
    sql`select g.game_key, g.name as game_name, a.id as admin_id, a.username as admin_username, ${SAVED_BY} as saved_by,
       d.outside,
       case when d.outside is null then d.draws_at else d.awaits_until end as until
     from draws d join games g on g.id = d.game_id join networks n on n.id = d.network_id join accounts a on a.id = n.admin_id
     join draw_terms terms on terms.id = d.terms_id
     where (case d.status when 'open' then d.closes_at when 'settling' then d.opens_at else d.draws_at end)
         > ${now}::timestamptz - ${LONGEST_DEADLINE}
       and (case when d.outside is null then d.draws_at else d.awaits_until end) > ${now} and d.status = 'closed'
         and d.network_id =
           ${one === undefined ? sql`any(${networkIds}::int[]) ${sql.raw(crossNetworkComment('superadmin'))}` : sql`${one}`}
           and d.confirmed_by is null and (d.saved_result is not null or (d.outside is not null and d.draws_at <= ${now}))
       and terms.result_mode in ('two-person', 'outside')
     order by until, d.id`.named(one === undefined ? 'draws-to-confirm' : 'draws-to-confirm-in-one'),
  );
}
