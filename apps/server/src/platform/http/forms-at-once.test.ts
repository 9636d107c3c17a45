import { connect, type AddressInfo, type Socket } from 'node:net';
import { timeList } from '@drawhouse/contract/games/times';
import sharp from 'sharp';
import { ELEVATION_HEADER } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CallError } from './http-errors.ts';
import { decodeImage } from '../../games/catalogue/game-images.ts';
import { FIRST_SUPERADMIN } from '../../compose/first-start.ts';
import { listen, TestApp, type SignedIn } from '../../../test/harness.ts';

const FORMS_AT_ONCE = 4;

let t: TestApp;
let address: string;
let tops: SignedIn[];
let timeId: string;
let picture: Buffer;

beforeAll(async () => {
  t = await TestApp.start();
  address = await listen(t.app);
  tops = await Promise.all(Array.from({ length: FORMS_AT_ONCE + 1 }, () => t.signIn(FIRST_SUPERADMIN)));
  timeId = (await t.ok(timeList.route, {}, tops[0])).data[0]!._id;
  picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
});
afterAll(() => t.close());

async function begin({ token }: SignedIn, files: number): Promise<Socket> {
  const socket = connect((t.app.http.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  const part = (index: number): string =>
    `--x\r\ncontent-disposition: form-data; name="images.${index}"; filename="a.png"\r\n\r\n`;
  const whole = Array.from({ length: files }, (_, index) => [Buffer.from(part(index)), picture, Buffer.from('\r\n')]);
  const head =
    `POST /api/game HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; ` +
    'boundary=x\r\ncontent-length: 9999999\r\n\r\n';
  const content = Buffer.concat([
    Buffer.from(head),
    ...whole.flat(),
    Buffer.from(part(files)),
    Buffer.alloc(100_000, 7),
  ]);
  await new Promise((sent) => socket.write(content, sent));
  return socket;
}

async function send({ token, elevation }: SignedIn): Promise<number> {
  const form = new FormData();
  const fields = {
    gameName: 'Pictured',
    gameDescription: 'x',
    releaseDate: '2026-03-01',
    publisher: 'x',
    nodigit: '3',
  };
  for (const [name, value] of Object.entries({ ...fields, timeId })) form.append(name, value);
  form.append('logo', new File([new Uint8Array(picture)], 'logo.png', { type: 'image/png' }));
  const reply = await fetch(`${address}/api/game`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, [ELEVATION_HEADER]: elevation },
    body: form,
  });
  await reply.body?.cancel();
  return reply.status;
}

async function drip(
  by: readonly SignedIn[],
  { files, refused }: { files: number; refused: number },
): Promise<Socket[]> {
  const answers: string[] = [];
  const open = await Promise.all(by.map((sender) => begin(sender, files)));
  for (const socket of open) socket.once('data', (answer) => answers.push(answer.toString()));
  const refusal = expect.stringMatching(/^HTTP\/1.1 503 .*retry-after: 1\r/s);
  await expect.poll(() => answers).toEqual(Array.from({ length: refused }, () => refusal));
  return open;
}

const sendAll = (by: readonly SignedIn[]): Promise<number[]> => Promise.all(by.map(send));

it('limits concurrent forms and frees the places of aborted ones', async () => {
  for (const files of [0, 1, 5]) {
    const open = await drip(tops, { files, refused: 1 });
    for (const socket of open) socket.destroy();
    await expect.poll(() => sendAll(tops.slice(1))).toEqual(tops.slice(1).map(() => 201));
  }
});

it('reads one form per session at a time, so slow ones do not block others', async () => {
  const [slow, ...others] = tops;
  const open = await drip(
    Array.from({ length: 3 * FORMS_AT_ONCE }, () => slow!),
    { files: 1, refused: 3 * FORMS_AT_ONCE - 1 },
  );
  for (const sender of others) expect(await send(sender)).toBe(201);
  expect(await sendAll(others.slice(1))).toEqual(others.slice(1).map(() => 201));
  expect(await send(slow!)).toBe(503);
  for (const socket of open) socket.destroy();
  await expect.poll(() => send(slow!)).toBe(201);
});

it('skips images of clients gone by their turn', async () => {
  const [gone, next] = await Promise.allSettled([decodeImage(picture, () => true), decodeImage(picture, () => false)]);
  expect(gone).toMatchObject({ status: 'rejected', reason: expect.any(CallError) });
  expect(next).toMatchObject({ status: 'fulfilled', value: { hash: expect.any(Buffer) } });
});
