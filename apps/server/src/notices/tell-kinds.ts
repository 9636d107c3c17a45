import { EVENT_NOTICES, NOTICES } from '@drawhouse/contract/notices/notices';
import type { NoticeCode } from '@drawhouse/contract/notices/notices';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { addMessage, readLastSaid } from './notice-messages.sql.ts';
import { noticeBody, sinceIn } from './webhook-messages.ts';

/** The beginning of one kind is told at most so often; its end follows it whenever that is. */
export const BEGAN_EVERY_MS = 3_600_000;
/** That nobody answers can't be told by what nobody answers. */
const UNTOLD: ReadonlySet<NoticeCode> = new Set(['WEBHOOK_UNANSWERED']);

/** Makes the messages that are due by the kinds of notices that hold, each since an instant. Whoever does holds the lock of it. */
export async function tellKinds(
  tx: Tx,
  { newId }: Pick<Services, 'newId'>,
  kinds: ReadonlyMap<NoticeCode, Date>,
  now: Date,
): Promise<void> {
  const said = new Map((await readLastSaid(tx)).map((last) => [last.code, last]));
  for (const [code, since] of kinds) {
    const last = said.get(code);
    const sinceLastMs = last?.began ? now.getTime() - last.began.at.getTime() : Infinity;
    // A clock that was ahead has put the last one after now.
    const isTooSoon = sinceLastMs >= 0 && sinceLastMs < BEGAN_EVERY_MS;
    const isTold = EVENT_NOTICES.has(code)
      ? last?.began && since <= sinceIn(last.began.body)
      : last?.type === 'began' || isTooSoon;
    if (UNTOLD.has(code) || isTold) continue;
    await addMessage(tx, { id: newId(), type: 'began', code, body: noticeBody({ code, since }, now) }, now, true);
  }
  for (const { code, type, began } of said.values()) {
    if (type !== 'began' || !began || !isKnown(code) || kinds.has(code)) continue;
    const body = noticeBody({ code, since: sinceIn(began.body), until: now }, now);
    // Who was never told that it began need not hear of its end.
    await addMessage(tx, { id: newId(), type: 'ended', code, body }, now, !began.gaveUp);
  }
}

/** Whether this version knows the kind: another may have told of it. */
function isKnown(code: string): code is NoticeCode {
  return Object.hasOwn(NOTICES, code);
}
