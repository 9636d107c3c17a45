import { deflateSync } from 'node:zlib';
import { addGame, changeGame, deleteGame, IMAGE_LIMITS, storedImage } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { timeList } from '@drawhouse/contract/games/times';
import { loadGame } from '@drawhouse/contract/live/live';
import { playerState } from '@drawhouse/contract/draws/draws';
import sharp from 'sharp';
import { ELEVATION_HEADER } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen, TestApp, type As, type Network, type Reply } from '../../../test/harness.ts';

let t: TestApp;
let net: Network;
let timeId: string;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  timeId = (await t.ok(timeList.route, {}, net.superadmin)).data[0]!._id;
});
afterAll(() => t.close());

interface Sent {
  readonly name: string;
  readonly content: Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

async function formOf(fields: Record<string, string | string[]>, files: readonly Sent[]) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each);
  for (const { name, content, fileName = 'picture.png', type = 'image/png' } of files)
    form.append(name, new File([content], fileName, { type }));
  const response = new Response(form);
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type')! },
  };
}

async function sendForm<R extends { method: string; path: string }>(
  { method, path }: R,
  fields: Record<string, string | string[]>,
  files: readonly Sent[],
  { as = net.superadmin, id = '' }: { as?: As; id?: string } = {},
): Promise<Reply<R>> {
  const { payload, headers } = await formOf(fields, files);
  const reply = await t.app.http.inject({
    method: method as 'PUT',
    url: `/api/${path.replace(':id', id)}`,
    headers: {
      ...headers,
      ...(as.token && { authorization: `Bearer ${as.token}` }),
      ...(as.elevation && { [ELEVATION_HEADER]: as.elevation }),
    },
    payload,
  });
  return { status: reply.statusCode, body: reply.json<Reply<R>['body']>(), headers: reply.headers };
}

const fieldsOf = (more: Record<string, string | string[]> = {}) => ({
  gameName: 'Pictured',
  gameDescription: 'A game with images',
  releaseDate: '2026-03-01',
  publisher: 'superadmin',
  nodigit: '3',
  gameStatus: 'active',
  label: 'yes',
  timeId,
  ...more,
});

let shade = 0;
function imageOf(format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' = 'png', width = 40, height = 30): Promise<Buffer> {
  shade++;
  const background = { r: shade % 250, g: (shade * 7) % 250, b: (shade * 31) % 250, alpha: 0.5 };
  return sharp({ create: { width, height, channels: 4, background } })
    .toFormat(format)
    .toBuffer();
}
const imagesOf = async (count: number): Promise<Sent[]> =>
  Promise.all(Array.from({ length: count }, async () => ({ name: 'images', content: await imageOf() })));

async function make(files: readonly Sent[], more?: Record<string, string | string[]>): Promise<Game> {
  const { body } = await sendForm(addGame, fieldsOf(more), files);
  expect(body).toMatchObject({ success: true });
  return body.data;
}

async function countImages(): Promise<number> {
  const [row] = await t.db.query<{ count: bigint }>('select count(*) from images');
  return Number(row!.count);
}

async function served(address: string) {
  const reply = await t.app.http.inject({ url: address });
  return { status: reply.statusCode, headers: reply.headers, content: reply.rawPayload };
}

describe('an image of a game', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('is accepted as %s, whatever its name', async (format) => {
    const content = await imageOf(format);
    const file = { name: 'logo', content, fileName: 'virus.exe', type: 'application/octet-stream' };
    const game = await make([file], { label: 'no' });
    const { status, headers, content: written } = await served(game.logo!);
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const head = await t.app.http.inject({ method: 'HEAD', url: game.logo! });
    expect(head).toMatchObject({ statusCode: 200, payload: '', headers: { ...headers, date: expect.anything() } });
    expect(await sharp(written).metadata()).toMatchObject({ format: 'webp', width: 40, height: 30 });
  });

  it('is stored small, upright, transparent where it was, and without metadata', async () => {
    const wide = await sharp(await imageOf('png', 1600, 800))
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Artist: 'somebody at home' } })
      .png()
      .toBuffer();
    const game = await make([{ name: 'image', content: wide }], { label: 'no' });
    const { content } = await served(game.image!);
    const read = await sharp(content).metadata();
    expect(read).toMatchObject({ width: IMAGE_LIMITS.edge / 2, height: IMAGE_LIMITS.edge, hasAlpha: true });
    expect([read.exif, read.icc, read.xmp, read.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(content.includes('somebody')).toBe(false);
  });

  it('is stored once for all uses and deleted with its last game', async () => {
    const before = await countImages();
    const content = await imageOf();
    const same: Sent[] = [0, 1, 2].map(() => ({ name: 'images', content }));
    const [first, second] = [await make(same), await make([...same, { name: 'logo', content }])];
    expect(new Set([...first.images, ...second.images, second.logo]).size).toBe(1);
    expect(await countImages()).toBe(before + 1);
    await t.ok(deleteGame, { params: { id: first._id } }, net.superadmin);
    expect((await served(second.logo!)).status).toBe(200);
    await t.ok(deleteGame, { params: { id: second._id } }, net.superadmin);
    expect(await countImages()).toBe(before);
    expect(await served(second.logo!)).toMatchObject({ status: 404 });
  });

  it('shows on panel and players’ board at its outcome', async () => {
    const game = await make(await imagesOf(3));
    const other = await t.network({ games: [game._id, 'funtargetbingo'] });
    const panel = await t.ok(loadGame, { query: { gameId: game.gameId, adminId: other.admin._id } }, other.admin);
    expect(panel.data.map((row) => row.image)).toEqual(game.images);
    const state = await t.ok(playerState, { query: { gameId: game.gameId } }, other.user);
    expect(state.outcomes.map((outcome) => outcome.image)).toEqual(game.images);
    const plain = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, other.user);
    expect(new Set(plain.outcomes.map((outcome) => outcome.image))).toEqual(new Set([null]));
  });
});

describe('a game labeled yes has one image per digit', () => {
  it.each([0, 2, 4])('not %i of 3', async (count) => {
    const before = await countImages();
    const reply = await sendForm(addGame, fieldsOf(), await imagesOf(count));
    expect(reply).toMatchObject({
      status: 400,
      body: { fields: { images: `Send exactly one image for each of the 3 digits. You sent ${count}` } },
    });
    expect(await countImages()).toBe(before);
  });

  it('ordered by digit, or by explicit positions', async () => {
    const [a, b, c] = await imagesOf(3);
    const inOrder = await make([a!, b!, c!]);
    const placed = await make([
      { ...c!, name: 'images.2' },
      { ...a!, name: 'images.0' },
      { ...b!, name: 'images.1' },
    ]);
    expect(placed.images).toEqual(inOrder.images);
  });

  it('none without a label', async () => {
    const reply = await sendForm(addGame, fieldsOf({ label: 'no' }), await imagesOf(1));
    expect(reply).toMatchObject({ status: 400, body: { fields: { images: expect.stringContaining('label yes') } } });
  });

  it('at most 100', async () => {
    const reply = await sendForm(addGame, fieldsOf({ nodigit: '101' }), await imagesOf(1));
    expect(reply).toMatchObject({ status: 400, body: { fields: { label: expect.stringContaining('At most 100') } } });
  });

  it('replaceable by position and removed with the label', async () => {
    const game = await make([...(await imagesOf(3)), { name: 'logo', content: await imageOf() }]);
    const before = await countImages();
    const one = { name: 'images.1', content: await imageOf() };
    const { body } = await sendForm(changeGame, {}, [one], { id: game._id });
    expect([body.data.images[0], body.data.images[2]]).toEqual([game.images[0], game.images[2]]);
    expect(body.data.images[1]).not.toBe(game.images[1]);
    expect(await countImages()).toBe(before);
    const [log] = await t.db.query<{ detail: unknown }>('select detail from activity order by id desc limit 1');
    expect(log!.detail).toMatchObject({ before: { images: game.images }, after: { images: body.data.images } });

    for (const name of ['images.3', 'images.99'])
      expect(await sendForm(changeGame, {}, [{ ...one, name }], { id: game._id })).toMatchObject({
        status: 400,
        body: { fields: { images: 'Send exactly one image for each of the 3 digits. You sent 4' } },
      });
    const without = await t.ok(
      changeGame,
      { params: { id: game._id }, body: { label: 'no', logo: null } },
      net.superadmin,
    );
    expect([without.data.images, without.data.logo]).toEqual([[], null]);
    expect(await countImages()).toBe(before - 4);
  });

  it('also if the number of digits changes', async () => {
    const game = await make(await imagesOf(3));
    const refused = await t.call(changeGame, { params: { id: game._id }, body: { nodigit: 4 } }, net.superadmin);
    expect(refused.body.fields).toEqual({
      images: 'Send exactly one image for each of the 4 digits. You sent 3',
    });
    const more = await sendForm(changeGame, { nodigit: '4' }, [{ name: 'images.3', content: await imageOf() }], {
      id: game._id,
    });
    expect(more.body.data.images.slice(0, 3)).toEqual(game.images);
    const less = await t.ok(changeGame, { params: { id: game._id }, body: { nodigit: 2 } }, net.superadmin);
    expect(less.data.images).toEqual(game.images.slice(0, 2));
  });
});

/** A valid header without data: a few bytes claiming gigabytes. */
function hugePng(width: number, height: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let crc = 0xffffffff;
    for (const byte of body) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('refuses bad images by name and stores nothing', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const notOne = 'This is not a JPEG, PNG or WebP image. Choose another file';
  const damaged = 'This image is damaged and can’t be read completely';
  const cut = async (format: 'png' | 'jpeg' | 'webp'): Promise<Buffer> => {
    const whole = await sharp(await imageOf('png', 300, 300))
      .composite([{ input: Buffer.from([9, 99, 199, 255]), raw: { width: 1, height: 1, channels: 4 }, tile: false }])
      .toFormat(format)
      .toBuffer();
    return whole.subarray(0, Math.floor(whole.length * 0.6));
  };
  const files: [string, () => Promise<Uint8Array> | Uint8Array, string | RegExp][] = [
    ['a text', () => Buffer.from('hello'), notOne],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), notOne],
    ['an SVG with script', () => Buffer.from(svg), notOne],
    ['an SVG after a blank', () => Buffer.from(`\n<?xml version="1.0"?>${svg}`), notOne],
    ['a GIF', () => imageOf('gif'), notOne],
    ['a TIFF', () => imageOf('tiff'), notOne],
    ['a PDF', () => Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj'), notOne],
    ['nothing', () => Buffer.alloc(0), notOne],
    ['the first bytes of a PNG', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), notOne],
    ['a truncated PNG', () => cut('png'), damaged],
    ['a truncated JPEG', () => cut('jpeg'), damaged],
    ['a truncated WebP', () => cut('webp'), /damaged|not a JPEG/],
    ['a PNG that promises 3,600 megapixels', () => hugePng(60_000, 60_000), /4,000 × 4,000 pixels.*60,000 × 60,000/],
    ['a PNG whose pixels are missing', () => hugePng(4_000, 4_000), damaged],
    ['4,001 pixels', () => imageOf('png', 4_001, 1), /4,000 × 4,000 pixels\. This one has 4,001 × 1$/],
    ['more than 2 MB', () => Buffer.concat([Buffer.alloc(IMAGE_LIMITS.bytes + 1)]), 'A file can have at most 2 MB'],
  ];

  let before: number;
  beforeEach(async () => {
    before = await countImages();
  });

  it.each(files)('%s', async (_name, content, message) => {
    const games = await t.db.query('select id from games order by id');
    const [first, , third] = await imagesOf(3);
    const wrong = { name: 'images', content: await content() };
    const reply = await sendForm(addGame, fieldsOf(), [first!, wrong, third!]);
    expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(reply.body.fields).toEqual({
      'images.1': message instanceof RegExp ? expect.stringMatching(message) : message,
    });
    expect(await countImages()).toBe(before);
    expect(await t.db.query('select id from games order by id')).toEqual(games);
  });

  it('several at once', async () => {
    const bad = { name: 'images', content: Buffer.from('hello') };
    const reply = await sendForm(addGame, fieldsOf(), [bad, (await imagesOf(1))[0]!, bad, { ...bad, name: 'logo' }]);
    expect(reply.body.fields).toEqual({ 'images.0': notOne, 'images.2': notOne, logo: notOne });
  });

  it('unexpected files and duplicates', async () => {
    const [file] = await imagesOf(1);
    for (const name of ['photo', 'images.100', 'logo.1', '__proto__', 'images.1.1']) {
      const reply = await sendForm(addGame, fieldsOf({ label: 'no' }), [{ ...file!, name }]);
      expect([name, reply.status, reply.body.success]).toEqual([name, 400, false]);
    }
    const twice = await sendForm(addGame, fieldsOf(), [file!, { ...file!, name: 'images.0' }]);
    expect(twice.body.fields).toEqual({ 'images.0': 'This file was sent twice' });
    expect(await countImages()).toBe(before);
  });

  it('accepts the largest allowed image', async () => {
    const content = await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const game = await make([{ name: 'logo', content }], { label: 'no' });
    expect(await sharp((await served(game.logo!)).content).metadata()).toMatchObject({ width: 512, height: 512 });
  });
});

describe('a form', () => {
  it('is accepted from superadmins only and not read from others', async () => {
    const address = await listen(t.app);
    const { headers } = await formOf({}, []);
    for (const [token, status] of [
      [undefined, 401],
      [net.admin.token, 403],
      [net.user.token, 403],
    ] as const) {
      let sent = 0;
      // Endless: an answer must come before it is fully read.
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (sent++ < 4) controller.enqueue(Buffer.alloc(1024, 'x'));
          else await new Promise(() => {});
        },
      });
      const reply = await fetch(`${address}/api/game`, {
        method: 'POST',
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        body,
        duplex: 'half',
      });
      expect(reply.status).toBe(status);
      await reply.body?.cancel();
    }
  });

  it('with more than 102 files or too many fields is refused', async () => {
    const file = { name: 'images', content: await imageOf() };
    const many = await sendForm(
      addGame,
      fieldsOf(),
      Array.from({ length: 110 }, () => file),
    );
    expect([many.status, many.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, each) => [`field${each}`, 'x']));
    const wide = await sendForm(addGame, fieldsOf(fields), []);
    expect([wide.status, wide.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const reply = await t.app.http.inject({
      method: 'POST',
      url: '/api/game',
      headers: {
        authorization: `Bearer ${net.superadmin.token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(1024 ** 3),
      },
      payload: '--x--\r\n',
    });
    expect(reply.statusCode).toBe(413);
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['another boundary', 'multipart/form-data; boundary=y', '--x\r\n\r\n--x--'],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="gameName"\r\n\r\nHalf'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
    [
      'a NUL',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="gameName"\r\n\r\na\0b\r\n--x--\r\n',
    ],
  ])('with %s is refused', async (_name, type, payload) => {
    const reply = await t.app.http.inject({
      method: 'POST',
      url: '/api/game',
      headers: { authorization: `Bearer ${net.superadmin.token}`, 'content-type': type },
      payload,
    });
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([400, 'INVALID_INPUT']);
  });

  it('names missing fields and accepts text for numbers', async () => {
    const reply = await sendForm(addGame, { nodigit: '0' }, []);
    expect(reply.body.fields).toMatchObject({ gameName: 'Game name is required', nodigit: 'Must be at least 1' });
    const game = await make([], { label: 'no', unitPrice: '0.25', nodigit: '12' });
    expect([game.unitPrice, game.nodigit, game.family]).toEqual([0.25, 12, 'numbers']);
  });

  it('sends no file for an empty file input', async () => {
    const game = await make([{ name: 'logo', content: Buffer.alloc(0), fileName: '' }], { label: 'no' });
    expect(game.logo).toBeNull();
  });
});

it("an image's address is its hash, and no other address works", async () => {
  expect(await t.call(storedImage, { params: { hash: '0'.repeat(64) } })).toMatchObject({ status: 404 });
  expect(await t.call(storedImage, { params: { hash: '../../etc' } })).toMatchObject({ status: 400 });
});
