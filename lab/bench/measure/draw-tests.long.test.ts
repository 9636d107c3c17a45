import { readFileSync } from 'node:fs';
import { drawBy, seedWords, uniformFromWords } from '@drawhouse/rules/fair/fair';
import { describe, expect, it } from 'vitest';
import { judge, STUDIED_GAMES, testDraws, type Draw, type StudiedGame } from './draw-tests.ts';

const DRAWS = 20_000;
const WORDS = 2 ** 32;

const gameOf = (wanted: string): StudiedGame => STUDIED_GAMES.find(({ gameId }) => gameId === wanted)!;

describe('draws for every number of outcomes', () => {
  it('are uniform and independent, with boosters matching their weights', () => {
    const degrees = [9, 11, 12, 15, 36, 37, 51, 99, 999, 999, 297, 2970];
    const found = STUDIED_GAMES.map((game) => testDraws(game, DRAWS));
    expect(judge(found)).toMatchObject({ tests: 50, fair: true });
    expect(found.map(({ uniform }) => uniform.degrees)).toEqual(degrees);
  });
});

describe('the table of docs/fairness.md', () => {
  it('lists every tested game', () => {
    const page = readFileSync(new URL('../../../docs/fairness.md', import.meta.url), 'utf8');
    const rows = STUDIED_GAMES.map(({ gameId, outcomes }) => new RegExp(`^\\| ${gameId} +\\| ${outcomes} +\\|`, 'm'));
    for (const row of rows) expect(page).toMatch(row);
  });
});

describe('a deliberately broken draw', () => {
  const judged = (gameId: string, draw: Draw) => judge([testDraws(gameOf(gameId), DRAWS, { draw })]);

  it('is detected if it reduces small words modulo n, favoring the first values', () => {
    const biased: Draw = ({ seed, drawId, ...rest }) => {
      const next = seedWords(seed, drawId);
      return drawBy((n) => (n > 256 ? next().word : next().word >>> 24) % n, rest);
    };
    expect(judged('europeanroulette', biased).fair).toBe(false);
    expect(judged('of 100 numbers', biased).fair).toBe(false);
  });

  it('is detected if it reuses the word of one choice for the next', () => {
    const repeated: Draw = ({ seed, drawId, ...rest }) => {
      const next = seedWords(seed, drawId);
      let taken = 0;
      let word = 0;
      const twice = () => (taken++ % 2 === 0 ? (word = next().word) : word);
      return drawBy(uniformFromWords(twice, WORDS), rest);
    };
    expect(judged('acqOpdpL', repeated).fair).toBe(false);
    expect(judged('lottery4d', repeated).fair).toBe(false);
  });

  it('is detected if it occasionally repeats the previous draw', () => {
    let last: Draw | undefined;
    let drawn = 0;
    const draw = testable();
    const repeating: Draw = (inputs) => {
      if (drawn++ % 10 === 9 && last) return last(inputs);
      const made = draw(inputs);
      last = () => made;
      return made;
    };
    const { runs, serial } = testDraws(gameOf('funtargetbingo'), DRAWS, { draw: repeating });
    expect(runs.p).toBeLessThan(1e-6);
    expect(serial.p).toBeLessThan(1e-6);
  });

  it('is detected if boosters ignore their weights', () => {
    const flat: Draw = (inputs) => ({
      ...testable()(inputs),
      booster: 1 + (seedWords(inputs.seed, 'booster')().word % inputs.rules.maxBooster),
    });
    const { boosters, uniform } = testDraws(gameOf('roulette'), DRAWS, { draw: flat });
    expect(boosters.p).toBeLessThan(1e-6);
    expect(uniform.p).toBeGreaterThan(0.001);
  });
});

function testable(): Draw {
  return ({ seed, drawId, ...rest }) => {
    const next = seedWords(seed, drawId);
    return drawBy(
      uniformFromWords(() => next().word, WORDS),
      rest,
    );
  };
}
