import { expect, it } from 'vitest';
import { signInErrors, wayBack } from './signInForm.ts';

it('a sign-in wants a name and a password, in the words of the specification', () => {
  expect(signInErrors({ username: '  ', password: '' })).toEqual({
    username: 'Username is required',
    password: 'Password is required',
  });
  expect(signInErrors({ username: 'p', password: 'ab' })).toEqual({
    password: 'Password must be at least 6 characters',
  });
  expect(signInErrors({ username: 'p', password: 'abc' })).toEqual({});
});

it('leads back to a page of this client, and to no other host', () => {
  expect(wayBack('/play/roulette?x=1')).toBe('/play/roulette?x=1');
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
    expect([back, wayBack(back)]).toEqual([back, '/']);
});
