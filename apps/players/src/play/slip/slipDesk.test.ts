import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dropSlips } from '../../lib/betting/unsentSlips.ts';
import { EMPTY_SLIP } from './slip.ts';
import { createSlipDesk, slipStore, uuidV7, type SlipStorage } from './slipDesk.ts';

const [FIRST, SECOND] = ['2026-01-31T12:00:00.000Z', '2026-01-31T12:01:00.000Z'];

function device(isFull = false): SlipStorage & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, text) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      entries.set(name, text);
    },
    removeItem: (name) => void entries.delete(name),
  };
}

const lineOf = (drawno: string): SlipLine => ({
  key: drawno,
  drawno,
  head: 'number',
  series: null,
  subseries: null,
  qty: 1,
});
let requests = 0;

async function openTab(storage: SlipStorage, { account = 'a', game = 'g', draw = FIRST } = {}) {
  const desk = createSlipDesk({
    store: slipStore(storage, account, game),
    textOf: (lines) => lines.map(({ drawno }) => drawno).join(' '),
    parse: async (text) => text.split(' ').map((drawno) => lineOf(drawno)),
    newRequestId: () => `request ${requests++}`,
    onChange: () => {},
  });
  await desk.atDraw(draw);
  return desk;
}

const bet = (...drawnos: string[]) => ({ lines: drawnos.map((drawno) => lineOf(drawno)), past: [] });
const betsIn = ({ now }: Awaited<ReturnType<typeof openTab>>) => now().slip.lines.map(({ drawno }) => drawno);

it('survives a reload on the same draw, under the same request id', async () => {
  const storage = device();
  const before = await openTab(storage);
  before.edit(bet('7', '9'));
  const after = await openTab(storage);
  expect(betsIn(after)).toEqual(['7', '9']);
  expect(after.now().requestId).toBe(before.now().requestId);
});

it('appears for no other account and in no other game', async () => {
  const storage = device();
  (await openTab(storage)).edit(bet('7'));
  expect(betsIn(await openTab(storage, { account: 'b' }))).toEqual([]);
  expect(betsIn(await openTab(storage, { game: 'h' }))).toEqual([]);
  expect(betsIn(await openTab(storage, { account: 'a/g', game: '' }))).toEqual([]);
});

it('is dropped once betting on its draw has closed, also while away', async () => {
  const storage = device();
  const here = await openTab(storage);
  here.edit(bet('7'));
  const { requestId } = here.now();
  const back = await openTab(storage, { draw: SECOND });
  expect(back.now()).toMatchObject({ slip: EMPTY_SLIP, dropped: '7' });
  await here.atDraw(SECOND);
  expect(here.now()).toMatchObject({ slip: EMPTY_SLIP, requestId: '', dropped: '7' });
  back.forgetDropped();
  expect(storage.entries.size).toBe(0);
  await here.follow();
  expect(here.now(), 'each tab says it').toMatchObject({ dropped: '7' });
  here.edit(bet('7'));
  expect(here.now()).toMatchObject({ dropped: null });
  expect(here.now()).toMatchObject({ opensAt: SECOND });
  expect(here.now().requestId).not.toBe(requestId);
});

it('leaves the slip of a later draw to the tab that knows that draw', async () => {
  const storage = device();
  const behind = await openTab(storage);
  const ahead = await openTab(storage, { draw: SECOND });
  ahead.edit(bet('7'));
  await behind.follow();
  expect(betsIn(behind)).toEqual([]);
  await behind.atDraw(SECOND);
  await behind.follow();
  expect(betsIn(behind)).toEqual(['7']);
});

it('is placed or cleared in all tabs at once, and changes in all of them', async () => {
  const storage = device();
  const [one, other] = [await openTab(storage), await openTab(storage)];
  one.edit(bet('7'));
  await other.follow();
  other.edit(bet('7', '9'));
  await one.follow();
  expect(betsIn(one)).toEqual(['7', '9']);
  expect(other.now().requestId).toBe(one.now().requestId);
  one.edit(EMPTY_SLIP);
  await other.follow();
  expect(betsIn(other)).toEqual([]);
});

it('takes a new request id for each slip', async () => {
  const desk = await openTab(device());
  desk.edit(bet('7'));
  const { requestId } = desk.now();
  desk.edit(bet('7', '8'));
  expect(desk.now().requestId).toBe(requestId);
  desk.edit(EMPTY_SLIP);
  desk.edit(bet('7'));
  expect(desk.now().requestId).not.toBe(requestId);
});

it('is gone from the device and from other tabs after a sign-out', async () => {
  const storage = device();
  const desk = await openTab(storage);
  desk.edit(bet('7'));
  (await openTab(storage, { account: 'b' })).edit(bet('8'));
  dropSlips(storage, 'a');
  await desk.follow();
  expect(betsIn(desk)).toEqual([]);
  expect([...storage.entries.keys()]).toEqual(['slip/b/g']);
});

it('lasts as long as the page if the device keeps nothing', async () => {
  const desk = await openTab(device(true));
  desk.edit(bet('7'));
  await desk.follow();
  expect(betsIn(desk)).toEqual(['7']);
});

it('ignores foreign content of the device', async () => {
  const storage = device();
  for (const text of ['{', 'null', '7', '{"requestId":"r","opensAt":"","text":"7"}']) {
    storage.setItem('slip/a/g', text);
    expect((await openTab(storage)).now()).toMatchObject({ slip: EMPTY_SLIP, dropped: null });
  }
});

const anyRandom = fc.uint8Array({ minLength: 10, maxLength: 10 });

it('is a UUIDv7 in time order', () => {
  expect(uuidV7(0x017f_22e2_79b0, new Uint8Array(10))).toBe('017f22e2-79b0-7000-8000-000000000000');
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(2 ** 40), anyRandom, anyRandom, (a, b, one, other) => {
      const [first, second] = [uuidV7(a, one), uuidV7(b, other)];
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      if (a < b) expect(first < second).toBe(true);
    }),
  );
});
