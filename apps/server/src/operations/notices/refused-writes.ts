import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import type { Tx } from '../../platform/db/database.ts';
import type { NotifySettings } from '../../config/notify-settings.ts';
import type { Services } from '../../platform/services.ts';
import { addMessage, noteAnswered } from './notices.sql.ts';
import { BEGAN_EVERY_MS, noticeBody, post, type WebhookMessage } from './webhook.ts';
import { NOTICE_DETAILS } from './notices-texts.ts';

const CODE = 'DATABASE_REFUSES_WRITES';

/** A database that refuses writes stores no notice, so each server keeps and sends it from memory. */
export interface RefusedWrites {
  /** Sends the webhook if due. Returns true if writes work. Throws DatabaseUnavailable. */
  look(): Promise<boolean>;
  notices(): readonly FoundNotice[];
  /** Stores messages sent from memory, so their end is sent normally. */
  keep(tx: Tx): Promise<void>;
}

export interface RefusedWritesOptions {
  readonly services: Pick<Services, 'db' | 'clock' | 'newId'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly webhook: NotifySettings | undefined;
  readonly signal: AbortSignal;
}

export function createRefusedWrites(options: RefusedWritesOptions): RefusedWrites {
  const { services, logger, webhook, signal } = options;
  const { db, clock, newId } = services;
  const isDue = atMostEvery(BEGAN_EVERY_MS, () => clock.now().getTime());
  let since: Date | undefined;
  let pending: (WebhookMessage & { readonly at: Date; isTaken: boolean }) | undefined;

  async function notify(to: NotifySettings, from: Date): Promise<void> {
    const at = clock.now();
    if (!pending && isDue())
      pending = { id: newId(), body: noticeBody({ code: CODE, since: from }, at), at, isTaken: false };
    if (!pending || pending.isTaken) return;
    const answer = await post(to, pending, { at, signal });
    pending.isTaken = answer.isTaken;
    if (!answer.isTaken && !signal.aborted)
      logger.warn({ to: to.host, code: CODE, type: 'began' }, `a notice was not sent: ${answer.says}`);
  }

  return {
    async look() {
      if (await db.takesWrites()) {
        since = undefined;
        return true;
      }
      since ??= clock.now();
      if (webhook) await notify(webhook, since);
      return false;
    },
    notices: () => (since ? [{ code: CODE, since: since.toISOString(), detail: NOTICE_DETAILS.nobodyBets }] : []),
    async keep(tx) {
      if (!pending) return;
      const { id, body, at, isTaken } = pending;
      await addMessage(tx, { id, type: 'began', code: CODE, body }, at, true);
      if (isTaken) await noteAnswered(tx, id, clock.now());
      tx.onCommit(() => void (pending = undefined));
    },
  };
}

/** A clock step back counts as elapsed. */
function atMostEvery(everyMs: number, nowMs: () => number): () => boolean {
  let lastMs: number | undefined;
  return () => {
    const now = nowMs();
    if (lastMs !== undefined && now >= lastMs && now - lastMs < everyMs) return false;
    lastMs = now;
    return true;
  };
}
