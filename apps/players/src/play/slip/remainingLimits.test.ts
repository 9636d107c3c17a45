import { expect, it } from 'vitest';
import { gameLimitTexts, remainingLimits } from './remainingLimits.ts';

const none = { perNumber: null, perTicket: null, perPlayer: null };
const ofPlayer = { setBy: 'player', left: null } as const;

it('remaining limits of game and player are listed in words, lowest first', () => {
  expect(remainingLimits({ limits: none, own: [], staked: null })).toEqual([]);
  const own = [
    { limit: 'stakePerDay', value: 80, setBy: 'manager', left: 20 },
    { ...ofPlayer, limit: 'stakePerDraw', value: 50.5 },
    { ...ofPlayer, limit: 'lossPerWeek', value: 300, left: 0 },
    { ...ofPlayer, limit: 'stakePerWeek', value: null },
    { ...ofPlayer, limit: 'minutesPerDay', value: 90, left: 1 },
  ] as const;
  const remaining = remainingLimits({ limits: { ...none, perTicket: 100, perPlayer: 60 }, own, staked: 49.5 });
  expect(remaining).toEqual([
    { left: 0, text: 'Loss per week: nothing is left of your limit of 300.00.', shortText: 'Loss per week: 0.00 left' },
    {
      left: 1,
      text: 'Stake per draw: 1.00 point is left of your limit of 50.50.',
      shortText: 'Stake per draw: 1.00 left',
    },
    {
      left: 10.5,
      text: 'At most 60.00 points per player and draw: 10.50 points are left on this one.',
    },
    {
      left: 20,
      text: 'Stake per day: 20.00 points are left of the limit set for you of 80.00.',
      shortText: 'Stake per day: 20.00 left',
    },
    { left: 100, text: 'At most 100.00 points per ticket.' },
  ]);
});

it('a limit below the staked amount leaves nothing', () => {
  const [room] = remainingLimits({ limits: { ...none, perPlayer: 5 }, own: [], staked: 7 });
  expect(room).toEqual({
    left: 0,
    text: 'At most 5.00 points per player and draw: nothing is left on this one.',
  });
});

it("a game's limits are full sentences", () => {
  expect(gameLimitTexts(none)).toEqual([]);
  expect(gameLimitTexts({ perNumber: 5, perTicket: 10, perPlayer: 20 })).toEqual([
    'At most 5.00 points per number on a draw, all players together.',
    'At most 10.00 points per ticket.',
    'At most 20.00 points per player and draw.',
  ]);
});
