import { NOTICES } from '@drawhouse/contract/notices/notices';
import type { NoticeCode } from '@drawhouse/contract/notices/notices';

/** What is told of a notice: nothing of an account, a network or credit, and why it holds neither. */
interface ToldNotice {
  readonly code: NoticeCode;
  readonly since: Date;
  /** When it was found to be over. */
  readonly until?: Date;
}

/** The body of the message that a kind of notice holds, or with `until` that it is over. */
export function noticeBody({ code, since, until }: ToldNotice, now: Date): string {
  return JSON.stringify({
    type: until ? 'notice.ended' : 'notice.began',
    timestamp: now.toISOString(),
    data: { code, ...NOTICES[code], since: since.toISOString(), ...(until && { until: until.toISOString() }) },
  });
}

/** Since when a notice holds by the body of a message of it. */
export function sinceIn(body: string): Date {
  return new Date((JSON.parse(body) as { data: { since: string } }).data.since);
}

/** The body of a test message. */
export function testBody(now: Date): string {
  const text = 'Somebody has pressed the button that sends this. Nothing is wrong.';
  return JSON.stringify({
    type: 'test',
    timestamp: now.toISOString(),
    data: { title: 'A test message of Drawhouse', text },
  });
}
