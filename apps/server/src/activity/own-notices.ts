import type { OwnNotice } from '@drawhouse/contract/auth/own-notices';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { leastIdAt } from '../platform/db/sql/uuids.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { CommandActor } from './run-command.ts';

type Addressee = Pick<CommandActor, 'id' | 'login'>;

const keyOf = ({ id, login }: Addressee): string => `${id} ${login}`;

/** A log row with this detail appears among the person's notices. */
export function noticeTo(person: Addressee, kind: OwnNotice['kind']): { readonly notice: object } {
  return { notice: { to: keyOf(person), kind } };
}

const SHOWN_MS = 30 * 86_400_000;
const SHOWN_MOST = 50;

/** Last 30 days, newest first. Superadmins act in the root's log. */
export async function readOwnNotices(
  on: Queryable,
  person: CommandActor,
  now: Date,
): Promise<Omit<OwnNotice, 'isRead'>[]> {
  const rows = await on.query<{
    id: string;
    at: Date;
    kind: OwnNotice['kind'];
    username: string;
    subject: string;
    ip: string;
    own: boolean;
  }>(
    sql`select l.id, l.at, l.detail -> 'notice' ->> 'kind' as kind, l.username, l.subject, l.ip,
        coalesce(l.account_id = ${person.id}, false) as own
      from activity l where l.detail -> 'notice' ->> 'to' = ${keyOf(person)} and l.id >= ${leastIdAt(new Date(now.getTime() - SHOWN_MS))}
        and l.network_id in (${ROOT_NETWORK}, ${person.networkId}) ${sql.raw(crossNetworkComment('persons'))}
      order by l.id desc limit ${sql.lit(SHOWN_MOST)}`.named('own-notices'),
  );
  return rows.map(({ id, at, kind, username, subject, ip, own }) => ({
    _id: id,
    kind,
    by: username,
    subject,
    // Hides the address of anyone else.
    ipAddress: own ? ip : null,
    createdAt: at.toISOString(),
  }));
}
