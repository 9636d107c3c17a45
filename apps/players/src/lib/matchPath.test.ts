import { expect, it } from 'vitest';
import { matchPath } from './matchPath.ts';

it('reads the values that stand in an address', () => {
  expect(matchPath('/', '/')).toEqual({});
  expect(matchPath('/play/:gameId', '/play/pFvIwZHj!')).toEqual({ gameId: 'pFvIwZHj!' });
  expect(matchPath('/play/:gameId', '/play/a%2Fb')).toEqual({ gameId: 'a/b' });
});

it('is none where it is another address, or none that can be read', () => {
  for (const path of ['/', '/play', '/play/a/b', '/played/a', '/play/%'])
    expect([path, matchPath('/play/:gameId', path)]).toEqual([path, null]);
});
