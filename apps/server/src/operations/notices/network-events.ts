import type { Change } from '@drawhouse/contract/activity/activity';
import type { FoundNotice, NoticeCode } from '@drawhouse/contract/notices/notices';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { visibleLog } from '../../activity/log-source.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { NOTICE_DETAILS } from './notices-texts.ts';
import { leastIdAt } from '../../platform/db/sql/uuids.ts';

const SHOWN_MS = 7 * 86_400_000;

/**
 * The last week, newest first. Reads the root log, which no clearing or restore shortens. With an actor, only networks
 * below.
 */
export async function networkEvents(on: Queryable, now: Date, actor?: Actor): Promise<FoundNotice[]> {
  const rows = await on.query<{
    at: Date;
    username: string;
    subject: string;
    code: NoticeCode;
    changes: Change[] | null;
  }>(sql`select l.at, l.username, l.subject, l.detail -> 'changes' as changes,
               case when l.detail ? 'clearedBackup' then 'HISTORY_CLEARED' else 'NETWORK_RESTORED' end as code
        from activity l
        where l.network_id = ${ROOT_NETWORK} and l.chain <> '{}' and l.id >= ${leastIdAt(new Date(now.getTime() - SHOWN_MS))}
          and l.detail ?| array['clearedBackup', 'restoredFrom', 'undoneRestoreOf'] and ${actor ? visibleLog(actor) : sql`true`}
        order by l.id desc`);
  return rows.map(({ at, username, subject, code, changes }) => ({
    code,
    since: at.toISOString(),
    admin: username,
    about: subject,
    detail: (changes ?? []).map(({ what, before, after }) => `${what}: ${before ?? after}.`).join(' '),
  }));
}

const REFUSED_MS = 86_400_000;

export async function refusedSignIns(on: Queryable, networkId: number, now: Date): Promise<FoundNotice[]> {
  const [row] = await on.query<{ count: number; last: string | null; at: Date | null }>(
    sql`select count(*)::int as count, (array_agg(l.username order by l.id desc))[1] as last, max(l.at) as at from activity l
      where l.network_id = ${networkId} and l.id >= ${leastIdAt(new Date(now.getTime() - REFUSED_MS))}
        and l.detail ? 'refusedPlace'`,
  );
  const { count, last, at } = row!;
  if (last === null || at === null) return [];
  return [{ code: 'SIGN_INS_REFUSED', since: at.toISOString(), detail: NOTICE_DETAILS.refusedSignIns(count, last) }];
}
