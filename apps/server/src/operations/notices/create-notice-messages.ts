import { ADMIN_NOTICES, EVENT_NOTICES, NOTICES } from '@drawhouse/contract/notices/notice-texts';
import type { NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { addMessage, readLastMessages } from './notices.sql.ts';
import { noticeBody, sinceIn } from './webhook.ts';

/** Between beginnings of one kind. Ends are never delayed. */
export const BEGAN_EVERY_MS = 3_600_000;
/** A silent webhook cannot report itself, and daily business stays on the screen. */
const NOT_SENT: ReadonlySet<NoticeCode> = new Set([
  'WEBHOOK_UNANSWERED',
  'RESULT_TO_CONFIRM',
  'OUTSIDE_RESULT_DUE',
  ...ADMIN_NOTICES,
]);

/** Covers active kinds. Requires the lock. */
export async function createDueMessages(
  tx: Tx,
  { newId }: Pick<Services, 'newId'>,
  kinds: ReadonlyMap<NoticeCode, Date>,
  now: Date,
): Promise<void> {
  const lastByCode = new Map((await readLastMessages(tx)).map((last) => [last.code, last]));
  for (const [code, since] of kinds) {
    const last = lastByCode.get(code);
    const sinceLastMs = last?.began ? now.getTime() - last.began.at.getTime() : Infinity;
    // A clock ahead may have dated the last message in the future.
    const isTooSoon = sinceLastMs >= 0 && sinceLastMs < BEGAN_EVERY_MS;
    const isDue = EVENT_NOTICES.has(code)
      ? last?.began && since <= sinceIn(last.began.body)
      : last?.type === 'began' || isTooSoon;
    if (NOT_SENT.has(code) || isDue) continue;
    await addMessage(tx, { id: newId(), type: 'began', code, body: noticeBody({ code, since }, now) }, now, true);
  }
  for (const { code, type, began } of lastByCode.values()) {
    if (type !== 'began' || !began || !isNoticeCode(code) || kinds.has(code)) continue;
    const body = noticeBody({ code, since: sinceIn(began.body), until: now }, now);
    // Without a delivered beginning, no end is sent.
    await addMessage(tx, { id: newId(), type: 'ended', code, body }, now, !began.gaveUp);
  }
}

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(NOTICES, code);
}
