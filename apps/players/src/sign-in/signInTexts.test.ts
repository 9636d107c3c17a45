import { expect, it } from 'vitest';
import { returnPath } from '../lib/matchPath.ts';
import { signInErrors } from './signInTexts.ts';

it("sign-in requires name and password, in the specification's words", () => {
  expect(signInErrors({ username: '  ', password: '' })).toEqual({
    username: 'Username is required',
    password: 'Password is required',
  });
  expect(signInErrors({ username: 'p', password: 'ab' })).toEqual({
    password: 'Password must be at least 6 characters',
  });
  expect(signInErrors({ username: 'p', password: 'abc' })).toEqual({});
});

it('returns to a page of this client, never to another host', () => {
  expect(returnPath('/play/roulette?x=1')).toBe('/play/roulette?x=1');
  for (const back of [
    null,
    '',
    'play',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/sign-in?back=/',
    '/auth/login',
  ])
    expect([back, returnPath(back)]).toEqual([back, '/']);
});
