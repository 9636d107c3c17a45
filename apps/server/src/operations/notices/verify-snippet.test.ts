import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { WEBHOOK_SECRET } from '../../../test/processes/webhook-receiver.ts';
import { signedHeaders } from './webhook.ts';

type Verify = (secret: string, headers: Record<string, string>, body: string, nowMs: number) => boolean;

it("the manual's sample verifies a message and refuses another", async () => {
  const page = await readFile(new URL('../../../../../docs/manual/notices.md', import.meta.url), 'utf8');
  const [, snippet] = /```js\n([^]*?)```/.exec(page)!;
  const { isFromDrawhouse: verify } = (await import(`data:text/javascript,${encodeURIComponent(snippet!)}`)) as {
    isFromDrawhouse: Verify;
  };
  const at = new Date('2026-03-10T10:00:00.000Z');
  const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
  const body = '{"type":"test","data":{"title":"“Ünïcode”"}}';
  const headers = signedHeaders(key, { id: 'msg', body }, at);
  const nowMs = at.getTime() + 200_000;
  expect(verify(WEBHOOK_SECRET, headers, body, nowMs)).toBe(true);
  const two = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
  expect(verify(WEBHOOK_SECRET, two, body, nowMs)).toBe(true);
  expect(verify(WEBHOOK_SECRET, headers, body.replace('test', 'best'), nowMs)).toBe(false);
  expect(verify(`whsec_${btoa('another secret of 32 bytes, not it')}`, headers, body, nowMs)).toBe(false);
  expect(verify(WEBHOOK_SECRET, { ...headers, 'webhook-id': 'gsm' }, body, nowMs)).toBe(false);
  expect(verify(WEBHOOK_SECRET, headers, body, at.getTime() + 301_000)).toBe(false);
});
