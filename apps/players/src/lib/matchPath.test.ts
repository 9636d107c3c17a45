import { expect, it } from 'vitest';
import { matchPath } from './matchPath.ts';

it('reads the parameters of an address', () => {
  expect(matchPath('/', '/')).toEqual({});
  expect(matchPath('/play/:gameId', '/play/pFvIwZHj!')).toEqual({ gameId: 'pFvIwZHj!' });
  expect(matchPath('/play/:gameId', '/play/a%2Fb')).toEqual({ gameId: 'a/b' });
});

it('returns none for other or unreadable addresses', () => {
  for (const path of ['/', '/play', '/play/a/b', '/played/a', '/play/%'])
    expect([path, matchPath('/play/:gameId', path)]).toEqual([path, null]);
});
