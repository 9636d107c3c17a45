import { DISPUTED } from '@drawhouse/contract/weeks/close-weeks';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import { dayWords } from '@drawhouse/rules/time/zone-days';
import type { Actor } from '../accounts/authority.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import { WEEK_NOTICES } from './weeks-texts.ts';

const ANSWER_SHOWN_MS = 7 * 86_400_000;

interface LastWord {
  readonly kind: 'dispute' | 'answer';
  readonly at: Date;
  readonly day: string;
  readonly by: string;
  readonly about: keyof typeof DISPUTED | '';
  readonly note: string;
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

/**
 * Until the week is closed, the side of the sheet that did not write a dispute is told of it. The side that wrote it is
 * told of the answer.
 */
export async function disputeNotices(on: Queryable, actor: Actor, now: Date): Promise<FoundNotice[]> {
  const network = networkOrColumnSql(singleNetworkOf(actor), 'a.network_id');
  const last = await on.query<LastWord & Record<string, unknown>>(
    sql`select n.kind, n.at, n.from_day::text as day, (select b.username from accounts b where b.id = n.actor_id) as by, d.about,
        n.note, a.id, a.username, a.role
      from accounts a join week_notes n on n.network_id = ${network} and n.account_id = a.id and n.parent_id = a.parent_id
      cross join lateral (select d.about, d.actor_id from week_notes d where d.network_id = ${network} and d.account_id = n.account_id
        and d.parent_id = n.parent_id and d.from_day = n.from_day and d.kind = 'dispute' order by d.id desc limit 1) d
      where ${inSubtree('a', actor)} and (a.id = ${actor.id} or a.parent_id = ${actor.id})
        and n.kind in ('dispute', 'answer') and n.actor_id <> ${actor.id}
        and not exists (select from week_notes l where l.network_id = ${network} and l.account_id = n.account_id
          and l.parent_id = n.parent_id and l.from_day = n.from_day and l.kind in ('dispute', 'answer') and l.id > n.id)
        and case n.kind when 'answer' then d.actor_id = ${actor.id} and n.at > ${new Date(now.getTime() - ANSWER_SHOWN_MS)}
          else not exists (select from week_closings c where c.network_id = ${network}
            and c.account_id = n.account_id and c.parent_id = n.parent_id and n.from_day between c.from_day and c.to_day) end
      order by n.id`,
  );
  return last.map(({ kind, at, day, by, about, note, id, username, role }) => ({
    code: kind === 'dispute' ? 'WEEK_DISPUTED' : 'DISPUTE_ANSWERED',
    since: at.toISOString(),
    day,
    ...(id !== actor.id && { about: username, account: { id, role } }),
    detail: WEEK_NOTICES.said(
      by === username ? null : by,
      dayWords(new Date(day), 'UTC'),
      about === '' ? null : DISPUTED[about],
      note,
    ),
  }));
}
