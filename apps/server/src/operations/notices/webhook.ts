import { createHmac } from 'node:crypto';
import { ADMIN_NOTICES, EVENT_NOTICES, NOTICES } from '@drawhouse/contract/notices/notice-texts';
import type { NoticeCode } from '@drawhouse/contract/notices/notices';
import type { NotifySettings } from '../../config/outside-services.ts';
import { NOTICE_TEXTS } from './notices-texts.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { addMessage, readLastMessages } from './notices.sql.ts';

export interface WebhookAnswer {
  readonly isTaken: boolean;
  readonly status: number | null;
  readonly tookMs: number;
  readonly says: string;
}

/** Id and body stay the same across attempts. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

const SECOND_MS = 1_000;

/** Standard Webhooks 1.0: signs id, second and body. */
export function signedHeaders(secret: Buffer, { id, body }: WebhookMessage, at: Date): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / SECOND_MS));
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

/** One attempt. Never throws, follows no redirects. */
export async function post(
  { url, authorization, secret, answerMs }: NotifySettings,
  message: WebhookMessage,
  { at, signal }: { readonly at: Date; readonly signal: AbortSignal },
): Promise<WebhookAnswer> {
  const begunMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - begunMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Drawhouse',
        ...(authorization !== undefined && { authorization }),
        ...signedHeaders(secret, message, at),
      },
      body: message.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    });
    await response.body?.cancel();
    return { isTaken: response.ok, status: response.status, tookMs: tookMs(), says: wordsOf(response, tookMs()) };
  } catch (error) {
    return { isTaken: false, status: null, tookMs: tookMs(), says: failureText(error as Error, answerMs) };
  }
}

function wordsOf({ ok, status }: Response, tookMs: number): string {
  if (ok) return NOTICE_TEXTS.accepted(status, tookMs);
  const answered = NOTICE_TEXTS.refused(status, tookMs);
  return status >= 300 && status < 400 ? NOTICE_TEXTS.redirected(answered) : NOTICE_TEXTS.seeLog(answered);
}

/** The address may be secret, so leaves it out. */
function failureText({ name, cause }: Error, answerMs: number): string {
  if (name === 'TimeoutError') return NOTICE_TEXTS.noAnswer(answerMs / SECOND_MS);
  if (name === 'AbortError') return NOTICE_TEXTS.stopping;
  const { code, message } = (cause ?? {}) as { code?: string; message?: string };
  const why = code ?? message;
  return NOTICE_TEXTS.unreachable(why);
}

interface NoticeBody {
  readonly code: NoticeCode;
  readonly since: Date;
  readonly until?: Date;
}

/** Announces an end if `until` is set. */
export function noticeBody({ code, since, until }: NoticeBody, now: Date): string {
  return JSON.stringify({
    type: until ? 'notice.ended' : 'notice.began',
    timestamp: now.toISOString(),
    data: { code, ...NOTICES[code], since: since.toISOString(), ...(until && { until: until.toISOString() }) },
  });
}

function sinceIn(body: string): Date {
  return new Date((JSON.parse(body) as { data: { since: string } }).data.since);
}

export function testBody(now: Date): string {
  const text = NOTICE_TEXTS.test;
  return JSON.stringify({
    type: 'test',
    timestamp: now.toISOString(),
    data: { title: NOTICE_TEXTS.testTitle, text },
  });
}

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
    await addMessage(tx, { id: newId(), type: 'ended', code, body }, now, !began.gaveUp);
  }
}

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(NOTICES, code);
}
