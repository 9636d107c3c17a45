import { expect, it, vi } from 'vitest';
import { groupsOfOthers, pairKey, searchPairs } from './livePairs.ts';

vi.mock('../../../lib/session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

function pair(username: string, gameName: string) {
  return { adminId: `id-${username}`, username, testNetwork: false, gameId: gameName, gameName };
}

const PAIRS = [pair('kavya10', 'Fruit 12'), pair('kavya9', 'Fruit 12'), pair('kavya10', 'Roulette 36')];

it('groups panels by admin and sorts numbers numerically', () => {
  expect(
    groupsOfOthers(PAIRS, 'id-root')?.map(({ username, pairs }) => [username, pairs.map(({ gameName }) => gameName)]),
  ).toEqual([
    ['kavya9', ['Fruit 12']],
    ['kavya10', ['Fruit 12', 'Roulette 36']],
  ]);
});

it('names no admin above its own panels', () => {
  const own = PAIRS.filter(({ username }) => username === 'kavya10');
  expect(groupsOfOthers(own, 'id-kavya10')).toBeNull();
  expect(groupsOfOthers(own, 'id-root')?.map(({ username }) => username)).toEqual(['kavya10']);
});

it('finds panels by words of game and admin in any order', () => {
  expect(searchPairs(PAIRS, '10 fruit').map(pairKey)).toEqual(['id-kavya10/Fruit 12']);
  expect(searchPairs(PAIRS, ' ')).toEqual(PAIRS);
  expect(searchPairs(PAIRS, 'poker')).toEqual([]);
});
