import type { Actor } from '../../accounts/authority.ts';
import type { Tx, Queryable } from '../../platform/db/database.ts';
import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import { addressKey } from '../../platform/http/request/address.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { DrawRow } from '../draws.sql.ts';
import { singleNetwork, crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { DRAW_TEXTS } from '../draws-texts.ts';

const DAY_MS = 86_400_000;
/** Within this time, setter and owner of a password may be one person. */
const PASSWORD_SETTER_MS = 7 * DAY_MS;

/**
 * Throws RULE_REFUSED if the actor saved the result, either account set the other's password within 7 days (creation
 * counts), or an unknown person set one from the server shell. Changing the password since does not help: anyone who
 * knew it could.
 */
export async function requireSecondPerson(tx: Tx, draw: DrawRow, actor: Actor, now: Date): Promise<void> {
  if (draw.saved_by === actor.id)
    throw new CallError('RULE_REFUSED', {
      message: DRAW_TEXTS.savedYourself,
    });
  const both = [draw.saved_by, actor.id];
  const [first] = await tx.query<{ username: string; set_by: string; set_at: Date }>(
    sql`select username, password_set_by as set_by, password_set_at as set_at from accounts
     where id = any(${both}::uuid[]) and (password_set_by = any(${both}::uuid[]) or password_set_by = ${NOBODY})
       and password_set_by <> id and password_set_at > ${new Date(now.getTime() - PASSWORD_SETTER_MS)}
     order by password_set_at desc limit 1`,
  );
  if (!first) return;
  const [setter] = await tx.query<{ username: string }>(sql`select username from accounts where id = ${first.set_by}`);
  const reason =
    first.set_by === NOBODY
      ? DRAW_TEXTS.setByStranger(first.username)
      : first.set_by === actor.id
        ? DRAW_TEXTS.youSetPassword(first.username)
        : DRAW_TEXTS.theySetPassword(setter!.username);
  const leftMs = first.set_at.getTime() + PASSWORD_SETTER_MS - now.getTime();
  throw new CallError('RULE_REFUSED', { message: DRAW_TEXTS.retryIn(reason, inWords(leftMs)) });
}

/** `6 days`, or hours below two days. Rounded up. */
function inWords(ms: number): string {
  const hours = Math.ceil(ms / 3_600_000);
  return hours >= 48 ? `${Math.ceil(ms / DAY_MS)} days` : hours === 1 ? '1 hour' : `${hours} hours`;
}

/** Compares /64 prefixes for IPv6. False if either address is unknown. */
export function isSameAddress({ saved_ip, confirmed_ip }: Pick<DrawRow, 'saved_ip' | 'confirmed_ip'>): boolean {
  return saved_ip !== null && confirmed_ip !== null && addressKey(saved_ip) === addressKey(confirmed_ip);
}

interface DrawToConfirm {
  readonly game_key: string;
  readonly game_name: string;
  readonly admin_id: string;
  readonly admin_username: string;
  readonly saved_by: string;
  readonly draws_at: Date;
}

/**
 * Draws whose saved result awaits a second person, earliest draw time first. Uses the index of due draws, so history
 * costs nothing. Same condition as `awaitsSecond`.
 */
export async function drawsToConfirm(
  on: Queryable,
  networkIds: readonly number[],
  now: Date,
): Promise<DrawToConfirm[]> {
  const one = singleNetwork(networkIds);
  return on.query<DrawToConfirm>(
    sql`select g.game_key, g.name as game_name, a.id as admin_id, a.username as admin_username, saver.username as saved_by, d.draws_at
     from draws d join games g on g.id = d.game_id join networks n on n.id = d.network_id join accounts a on a.id = n.admin_id
     join accounts saver on saver.id = d.saved_by join draw_terms terms on terms.id = d.terms_id
     where d.status in ('open', 'closed', 'drawn') and (case d.status when 'open' then d.closes_at else d.draws_at end) > ${now}
       and d.status = 'closed'
         and d.network_id =
           ${one === undefined ? sql`any(${networkIds}::int[]) ${sql.raw(crossNetworkComment('superadmin'))}` : sql`${one}`}
           and d.saved_result is not null and d.confirmed_by is null
       and terms.result_mode = 'two-person'
     order by d.draws_at, d.id`.named(one === undefined ? 'draws-to-confirm' : 'draws-to-confirm-in-one'),
  );
}
