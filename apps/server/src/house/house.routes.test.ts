import { activityLog } from '@drawhouse/contract/activity/activity';
import { DEFAULT_GAMBLING_HELP } from '@drawhouse/contract/house/gambling-help';
import { changeHouse, HOUSE_LIMITS, readHouse, type House } from '@drawhouse/contract/house/house';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { createHouseReader } from './house.routes.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

type Change = Parameters<typeof t.call<typeof changeHouse>>[1]['body'];

const read = async (): Promise<House> => (await t.ok(readHouse, {})).data;
const change = (body: Change) => t.call(changeHouse, { body }, net.superadmin);
const logged = async () =>
  (await t.ok(activityLog.route, { query: { search: 'the house' } }, net.superadmin)).data.length;

async function sendLogo(content: Uint8Array, type = 'image/png') {
  const form = new FormData();
  form.append('logo', new File([new Uint8Array(content)], 'logo', { type }));
  const response = new Response(form);
  const reply = await t.app.http.inject({
    method: 'PUT',
    url: `/api/${changeHouse.path}`,
    headers: {
      'content-type': response.headers.get('content-type')!,
      authorization: `Bearer ${net.superadmin.token}`,
    },
    payload: Buffer.from(await response.arrayBuffer()),
  });
  return { status: reply.statusCode, body: reply.json<{ data: House; fields?: Record<string, string> }>() };
}
const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#d94' } })
    .png()
    .toBuffer();

it("shows the product's name until a superadmin sets one", async () => {
  expect(await read()).toMatchObject({ name: 'Drawhouse', logo: null, color: null, terms: '' });
  expect((await read()).gamblingHelp).toEqual(DEFAULT_GAMBLING_HELP);
});

it('changes the given parts alone, is read at once, and logs what a person would look for', async () => {
  const gamblingHelp = [{ country: 'IN', name: 'Tele-MANAS', contact: '14416' }];
  const changes = { name: 'Lucky Star', color: '#AA3300', helpLine: '+91 11 5550 1234', terms: 'One.\r\n\r\nTwo.' };
  expect((await change({ ...changes, gamblingHelp })).status).toBe(200);
  expect(await read()).toMatchObject({ ...changes, color: '#aa3300', terms: 'One.\n\nTwo.', gamblingHelp });
  expect((await change({ ageNotice: 'From 21.' })).status).toBe(200);
  expect(await read()).toMatchObject({ name: 'Lucky Star', ageNotice: 'From 21.', gamblingHelp });
  const before = await logged();
  expect((await change({ name: 'Lucky Star', color: '#aa3300' })).status).toBe(200);
  expect(await logged()).toBe(before);
  expect((await change({ color: '', gamblingHelp: '' })).status).toBe(200);
  expect(await read()).toMatchObject({ color: null, gamblingHelp: DEFAULT_GAMBLING_HELP });
  expect((await change({ gamblingHelp: [] })).status).toBe(200);
  expect((await read()).gamblingHelp).toEqual([]);
  expect(await logged()).toBe(before + 2);
});

it('belongs to superadmins', async () => {
  for (const by of [net.admin, net.retailer, net.user])
    expect((await t.call(changeHouse, { body: { name: 'Mine' } }, by)).status).toBe(403);
});

it.each([
  ['name', ''],
  ['name', 'x'.repeat(HOUSE_LIMITS.name + 1)],
  ['name', 'Lucky\u200BStar'],
  ['color', 'red'],
  ['color', '#fff'],
  ['helpLine', 'one\ntwo'],
  ['ageNotice', 'x'.repeat(HOUSE_LIMITS.line + 1)],
  ['terms', 'x'.repeat(HOUSE_LIMITS.terms + 1)],
  ['terms', 'a\u0007b'],
  ['gamblingHelp', '{'],
  ['logo', 'data:image/png;base64,'],
] as const)('refuses %s %j and names it', async (field, value) => {
  const { status, body } = await change({ [field]: value });
  expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]]);
});

it.each([
  { country: 'XX', name: 'Help', contact: '1' },
  { country: 'in', name: 'Help', contact: '1' },
  { country: 'IN', name: ' ', contact: '1' },
  { country: 'IN', name: 'Help', contact: 'x'.repeat(61) },
])('refuses the help line %j', async (line) => {
  const { status, body } = await change({ gamblingHelp: [line] });
  expect([status, Object.keys(body.fields ?? {})[0]]).toEqual([400, expect.stringMatching(/^gamblingHelp/)]);
});

it('stores a logo by its content with its size, and deletes it when removed', async () => {
  const { status, body } = await sendLogo(await picture(1200, 300));
  expect(status).toBe(200);
  const { logo } = body.data;
  expect(logo).toEqual({ url: expect.stringMatching(/^\/api\/images\/[0-9a-f]{64}$/), width: 512, height: 128 });
  const shown = await t.app.http.inject(logo!.url);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringContaining('immutable'),
  });
  expect((await change({ logo: '' })).body).toMatchObject({ data: { logo: null } });
  expect((await t.app.http.inject(logo!.url)).statusCode).toBe(404);
});

it.each([
  ['an SVG, whatever its type says', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
  ['a page', Buffer.from('<!doctype html><script>1</script>')],
  ['half a picture', null],
])('refuses %s as a logo', async (_name, content) => {
  const sent = content ?? (await picture(64, 64)).subarray(0, 60);
  const { status, body } = await sendLogo(sent);
  expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['logo']]);
});

it('keeps an image that a game shows too', async () => {
  const content = await picture(40, 40);
  const { body } = await sendLogo(content);
  const hash = body.data.logo!.url.split('/').at(-1)!;
  await t.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query("update games set logo = decode($1, 'hex') where game_key = 'horse12'", [hash]);
  });
  await change({ logo: '' });
  expect((await t.app.http.inject(body.data.logo!.url)).statusCode).toBe(200);
});

it('stays as last read while the database is down', async () => {
  let isAway = false;
  const db = new Proxy(t.served, {
    get: (target, name) =>
      isAway && name === 'query' ? () => Promise.reject(new Error('away')) : (Reflect.get(target, name) as unknown),
  });
  const house = createHouseReader({ ...t.app.services, db });
  expect((await change({ name: 'Night Market' })).status).toBe(200);
  expect((await house.read()).name).toBe('Night Market');
  isAway = true;
  house.forget();
  await expect(house.read()).rejects.toThrow('away');
  expect((await house.readForPage()).name).toBe('Night Market');
  isAway = false;
  expect((await house.read()).name).toBe('Night Market');
});
