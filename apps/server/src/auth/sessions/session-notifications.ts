import type { Tx } from '../../platform/db/database.ts';
import type { EndedSessions, Services } from '../../platform/services.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export const SESSIONS_CHANNEL = 'sessions';

export type SessionNotification = { readonly ended: EndedSessions } | { readonly moved: string };

/** Session ids have 64 digits; NOTIFY payloads, at most 8,000 bytes. */
const IDS_PER_MESSAGE = 100;

/** After commit. This server hears immediately. */
export async function announceEnded({ events }: Services, tx: Tx, ended: EndedSessions): Promise<void> {
  if ('ids' in ended && ended.ids.length === 0) return;
  tx.onCommit(() => events.emit('sessionsEnded', ended));
  if ('below' in ended) await news(tx, { ended });
  else
    for (let from = 0; from < ended.ids.length; from += IDS_PER_MESSAGE)
      await news(tx, { ended: { ids: ended.ids.slice(from, from + IDS_PER_MESSAGE) } });
}

export async function announceMoved({ events }: Services, tx: Tx, accountId: string): Promise<void> {
  tx.onCommit(() => events.emit('accountMoved', { accountId }));
  await news(tx, { moved: accountId });
}

async function news(tx: Tx, message: SessionNotification): Promise<void> {
  await tx.query(sql`select pg_notify(${SESSIONS_CHANNEL}, ${JSON.stringify(message)})`.named('sessions-tell'));
}
