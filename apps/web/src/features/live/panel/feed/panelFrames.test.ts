import type { Panel } from '@drawhouse/contract/live/live';
import { describe, expect, test } from 'vitest';
import { NO_PANEL, reducePanel, type PanelEvent } from './panelFrames.ts';

const frame = (seq: number, serverTime = '2026-11-20T10:00:00.000Z'): Panel => ({
  gameId: 'funtargetbingo',
  gameName: 'Fun Target Bingo',
  family: 'numbers',
  adminId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  username: 'ada',
  testNetwork: false,
  seq,
  serverTime,
  draw: null,
  nextOpensAt: null,
  resultMode: 'open',
  usesBeacon: false,
  maxBooster: 20,
  digits: 10,
  unitPrice: 1,
  pays: {},
  stakes: {},
  data: [],
  dataColors: [],
  dataCardTypes: [],
  percentageData: [{ gameBalance: 0, winpercentage: null }],
  table: { backing: 0, commissionCeiling: 20, lacking: 0, opensNoDraw: false },
  collections: { totalPlaypoints: 0, totalWinpoints: 0, balance: 0 },
  lastData: { data: [] },
  awaited: [],
  correctable: [],
  totalsumdata: 0,
  saved: null,
});
const receivedAt = Date.parse('2026-11-20T10:00:00.050Z');

test('ignores older frames and takes newer or equal ones', () => {
  const first = reducePanel(NO_PANEL, { type: 'frame', panel: frame(7), receivedAt });
  expect(reducePanel(first, { type: 'frame', panel: frame(6), receivedAt })).toBe(first);
  expect(reducePanel(first, { type: 'frame', panel: frame(7), receivedAt }).panel?.seq).toBe(7);
  expect(reducePanel(first, { type: 'frame', panel: frame(8), receivedAt }).panel?.seq).toBe(8);
});

test('keeps the view after a reconnect, where counting may restart', () => {
  const shown = reducePanel(NO_PANEL, { type: 'frame', panel: frame(900), receivedAt });
  const joined = reducePanel(shown, { type: 'joined' });
  expect(joined.panel).toBe(shown.panel);
  const { gameId, adminId, serverTime } = frame(901);
  const late = { gameId, adminId, serverTime, seq: 901, drawId: null, stakes: {} };
  expect(reducePanel(joined, { type: 'change', change: late, receivedAt })).toBe(joined);
  expect(reducePanel(joined, { type: 'frame', panel: frame(1), receivedAt }).panel?.seq).toBe(1);
});

test('takes a fetched panel if newer, without stopping frames', () => {
  const event = (seq: number, second: number) => ({
    type: 'frame' as const,
    panel: frame(seq, `2026-11-20T10:00:0${second}.000Z`),
    receivedAt,
  });
  const shown = reducePanel(NO_PANEL, event(40, 5));
  expect(reducePanel(shown, event(0, 4))).toBe(shown);
  const fetched = reducePanel(shown, event(0, 6));
  expect(fetched.panel?.seq).toBe(0);
  expect(reducePanel(fetched, event(41, 5)).panel).toBe(fetched.panel);
  expect(reducePanel(fetched, event(41, 7)).panel?.seq).toBe(41);
  expect(reducePanel(fetched, event(39, 7))).toBe(fetched);
});

describe('panel changes', () => {
  const change = (seq: number, stake: number, second = 0): PanelEvent => ({
    type: 'change',
    change: {
      gameId: 'funtargetbingo',
      adminId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
      seq,
      serverTime: `2026-11-20T10:00:0${second}.000Z`,
      drawId: null,
      stakes: { 7: stake },
      totalsumdata: stake,
    },
    receivedAt,
  });
  const whole = (seq: number, second = 0): PanelEvent => ({
    type: 'frame',
    panel: { ...frame(seq, `2026-11-20T10:00:0${second}.000Z`), pays: { number: 900 } },
    receivedAt,
  });
  const after = (...events: PanelEvent[]) => events.reduce(reducePanel, NO_PANEL);

  test('apply to the whole panel in sequence', () => {
    const { panel, missed } = after(whole(3), change(4, 5), change(5, 8));
    expect(panel).toMatchObject({ seq: 5, totalsumdata: 8, stakes: { 7: 8 } });
    expect(panel!.data[7]).toMatchObject({ drawno: '7', sum: 8, pays: 72 });
    expect(missed).toBe(false);
  });

  test('apply merged, unless one before them is missing', () => {
    const merged = (from: number, seq: number): PanelEvent => {
      const last = change(seq, 9) as Extract<PanelEvent, { type: 'change' }>;
      return { ...last, change: { ...last.change, from } };
    };
    expect(after(whole(3), merged(4, 6)).panel).toMatchObject({ seq: 6, stakes: { 7: 9 } });
    expect(after(whole(5), merged(4, 6)).panel).toMatchObject({ seq: 6, stakes: { 7: 9 } });
    expect(after(whole(3), merged(5, 6))).toMatchObject({ missed: true, panel: { seq: 3 } });
  });

  test('are ignored if already applied', () => {
    const shown = after(whole(3), change(4, 5));
    expect(reducePanel(shown, change(4, 9))).toBe(shown);
    expect(reducePanel(shown, change(3, 9))).toBe(shown);
  });

  test('need a whole panel from the socket, not a fetched one', () => {
    expect(after(change(1, 5))).toBe(NO_PANEL);
    const fetched = after(whole(0));
    expect(reducePanel(fetched, change(1, 5))).toBe(fetched);
  });

  test('wait for the next whole panel after a gap', () => {
    const gap = after(whole(3), change(5, 8));
    expect(gap).toMatchObject({ missed: true, panel: { seq: 3 } });
    const joined = reducePanel(gap, { type: 'joined' });
    expect(joined.missed).toBe(false);
    expect(reducePanel(joined, change(6, 9))).toBe(joined);
    expect([whole(7), change(8, 10)].reduce(reducePanel, joined).panel).toMatchObject({ seq: 8, totalsumdata: 10 });
  });

  test('of another panel are ignored', () => {
    const shown = after(whole(3));
    const other = change(4, 5) as Extract<PanelEvent, { type: 'change' }>;
    expect(reducePanel(shown, { ...other, change: { ...other.change, gameId: 'fruit12' } })).toBe(shown);
  });

  test('do not override newer fetched data, and continue below it', () => {
    const fetched = after(whole(3, 1), whole(0, 5));
    const beneath = reducePanel(fetched, change(4, 5, 4));
    expect(beneath.panel).toBe(fetched.panel);
    expect(reducePanel(beneath, change(5, 8, 6)).panel).toMatchObject({ seq: 5, totalsumdata: 8 });
  });

  test('set the clock like any timed answer', () => {
    expect(after(whole(3), change(4, 5, 1)).clock).toEqual([-50, 950]);
    expect(after({ type: 'clock', serverTime: '2026-11-20T10:00:02.000Z', receivedAt }).clock).toEqual([1950]);
  });
});
