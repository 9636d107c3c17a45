import type { Panel } from '@drawhouse/contract/live';
import { expect, test } from 'vitest';
import { NO_PANEL, reducePanel } from './panelFrames.ts';

const frame = (seq: number, serverTime = '2026-11-20T10:00:00.000Z'): Panel => ({
  gameId: 'funtargetbingo',
  gameName: 'Fun Target Bingo',
  family: 'numbers',
  adminId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  username: 'ada',
  seq,
  serverTime,
  draw: null,
  nextOpensAt: null,
  resultMode: 'open',
  maxBooster: 20,
  data: [],
  dataColors: [],
  dataCardTypes: [],
  percentageData: [{ gameBalance: 0, winpercentage: null }],
  collections: { totalPlaypoints: 0, totalWinpoints: 0, balance: 0 },
  lastData: { data: [] },
  totalsumdata: 0,
  saved: null,
});
const receivedAt = Date.parse('2026-11-20T10:00:00.050Z');

test('an older frame is ignored, a newer or the same one is taken', () => {
  const first = reducePanel(NO_PANEL, { type: 'frame', panel: frame(7), receivedAt });
  expect(reducePanel(first, { type: 'frame', panel: frame(6), receivedAt })).toBe(first);
  expect(reducePanel(first, { type: 'frame', panel: frame(7), receivedAt }).panel?.seq).toBe(7);
  expect(reducePanel(first, { type: 'frame', panel: frame(8), receivedAt }).panel?.seq).toBe(8);
});

test('after a reconnect the count may begin anew, and what is shown stays until then', () => {
  const shown = reducePanel(NO_PANEL, { type: 'frame', panel: frame(900), receivedAt });
  const joined = reducePanel(shown, { type: 'joined' });
  expect(joined.panel).toBe(shown.panel);
  expect(reducePanel(joined, { type: 'frame', panel: frame(1), receivedAt }).panel?.seq).toBe(1);
});

test('a fetched panel is taken when the server made it later, and does not stop the frames', () => {
  const event = (seq: number, second: number) => ({
    type: 'frame' as const,
    panel: frame(seq, `2026-11-20T10:00:0${second}.000Z`),
    receivedAt,
  });
  const shown = reducePanel(NO_PANEL, event(40, 5));
  expect(reducePanel(shown, event(0, 4))).toBe(shown);
  const fetched = reducePanel(shown, event(0, 6));
  expect(fetched.panel?.seq).toBe(0);
  expect(reducePanel(fetched, event(41, 5))).toBe(fetched);
  expect(reducePanel(fetched, event(41, 7)).panel?.seq).toBe(41);
  expect(reducePanel(fetched, event(39, 7))).toBe(fetched);
});
