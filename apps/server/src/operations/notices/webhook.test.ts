import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { listNotices, testWebhook, type FoundNotice, type NoticeCode } from '@drawhouse/contract/notices/notices';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import {
  settingsOfReceiver,
  startReceiver,
  WEBHOOK_SECRET,
  type ReceivedMessage,
  type WebhookReceiver,
} from '../../../test/processes/webhook-receiver.ts';
import { FIRST_SUPERADMIN } from '../../compose/first-start.ts';
import type { NotifySettings } from '../../config/outside-services.ts';

const SECOND_MS = 1_000;

let receiver: WebhookReceiver;
let t: TestApp;
let found: FoundNotice[] = [];
const logged: string[] = [];
const webhook = {} as { -readonly [K in keyof NotifySettings]: NotifySettings[K] };
const options = {
  notices: () => found,
  watched: { folders: {}, lastClockStep: () => undefined, auditEveryDays: 31, webhook },
  logger: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
};

beforeAll(async () => {
  receiver = await startReceiver();
  Object.assign(webhook, settingsOfReceiver(receiver));
  t = await TestApp.start(options);
});
beforeEach(async () => {
  found = [];
  Object.assign(webhook, settingsOfReceiver(receiver));
  [receiver.answers, receiver.received.length, logged.length] = [204, 0, 0];
  await t.db.query('delete from notice_messages');
  await t.db.query('delete from held_notices');
  t.clock.advance(3_600 * SECOND_MS);
});
afterAll(async () => {
  await t.close();
  await receiver.stop();
});

async function pass(seconds: number, ...servers: TestApp[]): Promise<void> {
  t.clock.advance(seconds * SECOND_MS);
  for (const one of servers.length > 0 ? servers : [t]) await one.app.tick();
}

const receivedEvents = (): string[] =>
  receiver.received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { code?: string } };
    return [type, data.code].filter(Boolean).join(' ');
  });

async function isSigned({ headers, body }: ReceivedMessage, secret = WEBHOOK_SECRET): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.replace('whsec_', '')), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const [version, signature] = String(headers['webhook-signature']).split(',');
  const signed = new TextEncoder().encode([headers['webhook-id'], headers['webhook-timestamp'], body].join('.'));
  const bytes = Uint8Array.from(atob(signature!), (letter) => letter.charCodeAt(0));
  return version === 'v1' && crypto.subtle.verify('HMAC', key, bytes, signed);
}

const hold = (...codes: NoticeCode[]): void => void (found = codes.map((code) => ({ code })));

describe('a notice sent by webhook', () => {
  it('is sent once at start and end, across servers and restarts, at most hourly', async () => {
    const other = await t.beside(options);
    hold('SEALS_STOPPED');
    const began = t.clock.now().toISOString();
    await Promise.all([t.app.tick(), other.app.tick()]);
    await pass(16, t, other);
    expect(receivedEvents()).toEqual(['notice.began SEALS_STOPPED']);
    await other.close();
    const again = await t.beside(options);
    await pass(16, again, t);
    found = [];
    await pass(16, again, t);
    // Another server may still find it.
    expect(receivedEvents()).toEqual(['notice.began SEALS_STOPPED']);
    await pass(50, again, t);
    expect(receivedEvents()).toEqual(['notice.began SEALS_STOPPED', 'notice.ended SEALS_STOPPED']);
    expect(JSON.parse(receiver.received[1]!.body)).toEqual({
      type: 'notice.ended',
      timestamp: t.clock.now().toISOString(),
      data: { code: 'SEALS_STOPPED', ...NOTICES.SEALS_STOPPED, since: began, until: t.clock.now().toISOString() },
    });
    hold('SEALS_STOPPED', 'DRAWS_LATE');
    await pass(16, again, t);
    expect(receivedEvents().slice(2)).toEqual(['notice.began DRAWS_LATE']);
    await pass(3_420, again, t);
    expect(receivedEvents().slice(3)).toEqual([]);
    await pass(90, again, t);
    expect(receivedEvents().slice(3)).toEqual(['notice.began SEALS_STOPPED']);
    await again.close();
  });

  it('is sent per event, even while an earlier one is shown', async () => {
    const cleared = (about: string): FoundNotice => ({
      code: 'HISTORY_CLEARED',
      about,
      since: t.clock.now().toISOString(),
    });
    found = [cleared('first')];
    await pass(16);
    found = [...found, cleared('second')];
    await pass(16);
    await pass(16);
    expect(receivedEvents()).toEqual(['notice.began HISTORY_CLEARED', 'notice.began HISTORY_CLEARED']);
  });

  it('is signed and contains only the notice', async () => {
    found = [{ code: 'BACKUP_FAILED', admin: 'anita', detail: 'The folder of 1,234.50 can’t be read.' }];
    await t.app.tick();
    const [message] = receiver.received;
    expect(await isSigned(message!)).toBe(true);
    expect(await isSigned({ ...message!, body: message!.body.replace('began', 'ended') })).toBe(false);
    expect(await isSigned(message!, `whsec_${btoa('another secret of 32 bytes, not that')}`)).toBe(false);
    expect(message!.headers['webhook-timestamp']).toBe(String(t.clock.now().getTime() / SECOND_MS));
    expect(message!.headers['content-type']).toBe('application/json');
    const now = t.clock.now().toISOString();
    expect(JSON.parse(message!.body)).toEqual({
      type: 'notice.began',
      timestamp: now,
      data: { code: 'BACKUP_FAILED', ...NOTICES.BACKUP_FAILED, since: now },
    });
  });

  it('is retried with growing delays under one id if refused, then reported as a notice', async () => {
    const superadmin = await t.signIn(FIRST_SUPERADMIN);
    const shown = async () => (await t.ok(listNotices, {}, superadmin)).data.map(({ code }) => code);
    receiver.answers = 500;
    hold('DRAWS_LATE');
    await t.app.tick();
    for (const [wait, tries] of [
      [10, 1],
      [6, 2],
      [50, 2],
      [11, 3],
      [295, 3],
      [6, 4],
    ] as const) {
      expect(await shown()).toEqual(['DRAWS_LATE']);
      await pass(wait);
      expect(receiver.received, `after ${wait} s more`).toHaveLength(tries);
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4);
    expect((await t.ok(listNotices, {}, superadmin)).data).toContainEqual(
      expect.objectContaining({ code: 'WEBHOOK_UNANSWERED', last: null }),
    );
    receiver.answers = 200;
    expect(await t.ok(testWebhook, {}, superadmin)).toMatchObject({ isTaken: true, status: 200 });
    expect(await shown()).toEqual(['DRAWS_LATE']);
    await pass(6);
    expect(receivedEvents().slice(4)).toEqual(['test', 'notice.began DRAWS_LATE']);
    found = [];
    await pass(16);
    await pass(61);
    expect(receivedEvents().slice(6)).toEqual(['notice.ended DRAWS_LATE']);
  });

  it('about a read-only database is sent from memory, and its end once writable', async () => {
    const superadmin = await t.signIn(FIRST_SUPERADMIN);
    const shown = async () => (await t.ok(listNotices, {}, superadmin)).data;
    const kept = () =>
      t.db.query<{ code: string }>('select code from notice_messages union all select code from held_notices');
    const taken = vi.spyOn(t.served, 'takesWrites').mockResolvedValue(false);
    const since = t.clock.now().toISOString();
    hold('DRAWS_LATE');
    receiver.answers = 500;
    await t.app.tick();
    receiver.answers = 204;
    await pass(16);
    await pass(16);
    expect(receivedEvents()).toEqual(['notice.began DATABASE_REFUSES_WRITES', 'notice.began DATABASE_REFUSES_WRITES']);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await shown()).toContainEqual(expect.objectContaining({ code: 'DATABASE_REFUSES_WRITES', since }));
    expect(await kept()).toEqual([]);
    taken.mockRestore();
    await pass(16);
    await pass(6);
    expect(receivedEvents().slice(2).toSorted()).toEqual([
      'notice.began DRAWS_LATE',
      'notice.ended DATABASE_REFUSES_WRITES',
    ]);
    expect((await shown()).map(({ code }) => code)).toEqual(['DRAWS_LATE']);
    vi.spyOn(t.served, 'takesWrites').mockResolvedValue(false);
    await pass(16);
    vi.restoreAllMocks();
    expect((await shown()).map(({ code }) => code)).toContain('DATABASE_REFUSES_WRITES');
    await pass(16);
    expect(receivedEvents()).toHaveLength(4);
  });

  it('is given up if never accepted, without announcing its end', async () => {
    receiver.answers = 410;
    hold('DRAWS_LATE');
    await t.app.tick();
    for (let hour = 0; hour < 20; hour++) await pass(3_601);
    expect(receiver.received).toHaveLength(15);
    receiver.answers = 200;
    found = [];
    await pass(61);
    await pass(61);
    expect(receiver.received).toHaveLength(15);
  });

  it('never blocks a step or shutdown on a silent receiver, and is not lost', async () => {
    receiver.answers = 'never';
    hold('DRAWS_LATE');
    const other = await t.beside(options);
    await other.app.step();
    await expect.poll(() => t.db.query('select from notice_messages')).toHaveLength(1);
    t.clock.advance(6 * SECOND_MS);
    await other.app.step();
    await expect.poll(() => receiver.received.length).toBe(1);
    await other.app.step();
    await other.close();
    const rest = await t.db.query('select tries, next_try_at is not null as waits from notice_messages');
    expect(rest).toEqual([{ tries: 1, waits: true }]);
  });
});

describe('a webhook test', () => {
  it('describes the response in words', async () => {
    const superadmin = await t.signIn(FIRST_SUPERADMIN);
    const sent = async (answers: WebhookReceiver['answers']) => {
      receiver.answers = answers;
      t.clock.advance(10 * SECOND_MS);
      return t.ok(testWebhook, {}, superadmin);
    };
    expect(await sent(204)).toMatchObject({
      isTaken: true,
      status: 204,
      tookMs: expect.any(Number),
      message: expect.stringMatching(/^The receiver accepted it: status 204 after \d+ ms\.$/),
    });
    expect(await isSigned(receiver.received[0]!)).toBe(true);
    expect(await sent(401)).toMatchObject({ isTaken: false, status: 401, message: expect.stringContaining('401') });
    expect(await sent({ to: '/elsewhere' })).toMatchObject({
      isTaken: false,
      status: 302,
      message: expect.stringContaining('never followed'),
    });
    expect(receiver.received.filter(({ path }) => path !== '/hook')).toEqual([]);
    webhook.answerMs = 40;
    expect(await sent('never')).toMatchObject({
      isTaken: false,
      status: null,
      message: 'The receiver did not answer within 0.04 seconds.',
    });
    webhook.answerMs = 8_000;
    webhook.url = 'http://127.0.0.1:2/hook';
    expect(await sent(204)).toMatchObject({
      isTaken: false,
      status: null,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is sent once for concurrent clicks, and again ten seconds later', async () => {
    const superadmin = await t.signIn(FIRST_SUPERADMIN);
    const press = async (): Promise<number> => (await t.call(testWebhook, {}, superadmin)).status;
    const answers = await Promise.all(Array.from({ length: 4 }, press));
    expect(answers.toSorted((one, other) => one - other)).toEqual([200, 429, 429, 429]);
    t.clock.advance(9 * SECOND_MS);
    expect(await press()).toBe(429);
    t.clock.advance(SECOND_MS);
    expect(await press()).toBe(200);
    expect(receiver.received).toHaveLength(2);
  });

  it("sends the address's user and password, which never appear in logs or answers", async () => {
    const { host } = settingsOfReceiver(receiver);
    const url = receiver.url.replace('http://', 'http://ops:hunter2@');
    Object.assign(webhook, settingsOfReceiver({ url: `${url}?token=secret` }));
    receiver.answers = 503;
    hold('DRAWS_LATE');
    await t.app.tick();
    expect(receiver.received[0]!.headers.authorization).toBe(`Basic ${btoa('ops:hunter2')}`);
    expect(receiver.received[0]!.path).toBe('/hook?token=secret');
    const superadmin = await t.signIn(FIRST_SUPERADMIN);
    const answers = [await t.ok(listNotices, {}, superadmin), await t.ok(testWebhook, {}, superadmin)];
    expect(answers[0]).toMatchObject({ webhook: { to: host } });
    expect(logged.join('')).toContain(host);
    expect(`${logged.join('')}${JSON.stringify(answers)}`).not.toMatch(/hunter2|token|secret|\/hook/);
  });
});
