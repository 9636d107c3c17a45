import { NOTICES } from '@drawhouse/contract/notices/notices';
import type { NoticeCode } from '@drawhouse/contract/notices/notices';

/** Contains no account, network or credit. */
interface ToldNotice {
  readonly code: NoticeCode;
  readonly since: Date;
  readonly until?: Date;
}

/** Payload for a beginning, or with `until` for an end. */
export function noticeBody({ code, since, until }: ToldNotice, now: Date): string {
  return JSON.stringify({
    type: until ? 'notice.ended' : 'notice.began',
    timestamp: now.toISOString(),
    data: { code, ...NOTICES[code], since: since.toISOString(), ...(until && { until: until.toISOString() }) },
  });
}

export function sinceIn(body: string): Date {
  return new Date((JSON.parse(body) as { data: { since: string } }).data.since);
}

export function testBody(now: Date): string {
  const text = 'This message was sent by the test button. Nothing is wrong.';
  return JSON.stringify({
    type: 'test',
    timestamp: now.toISOString(),
    data: { title: 'A Drawhouse test message', text },
  });
}
