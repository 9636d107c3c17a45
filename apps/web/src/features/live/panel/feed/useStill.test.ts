import type { Panel } from '@drawhouse/contract/live/live';
import { expect, test } from 'vitest';
import { isSameButStakes } from './panelFrames.ts';

const draw = { _id: '1' };
const panel = { gameId: 'roulette', seq: 1, stakes: {}, data: [], totalsumdata: 0, draw } as unknown as Panel;

test('a panel stays still for bets and updates for other changes', () => {
  expect(isSameButStakes(panel, { ...panel, seq: 2, stakes: { 7: 1 }, data: [], totalsumdata: 1 })).toBe(true);
  expect(isSameButStakes(panel, { ...panel, draw: null })).toBe(false);
  expect(isSameButStakes(panel, { ...panel, nextOpensAt: '2026-11-20T10:00:00.000Z' })).toBe(false);
});
