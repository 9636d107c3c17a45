import { expect, it } from 'vitest';
import { readAdminWish } from '../commands/run-admin.ts';

it('parses its arguments', () => {
  expect(readAdminWish(['list'])).toEqual({ what: 'list', roles: ['superadmin', 'admin'] });
  expect(readAdminWish(['list', '--all'])).toMatchObject({ roles: expect.not.arrayContaining(['user']) });
  expect(readAdminWish(['reset-password', 'anna'])).toEqual({ what: 'reset-password', name: 'anna' });
  expect(readAdminWish(['unlock', '--address', '192.0.2.1'])).toEqual({ what: 'unlock-address', address: '192.0.2.1' });
  expect(readAdminWish(['correct-clock'])).toEqual({ what: 'correct-clock', isMeant: false });
  expect(readAdminWish(['correct-clock', '--yes'])).toEqual({ what: 'correct-clock', isMeant: true });
  expect(readAdminWish(['--help'])).toBe('help');
});

it.each([
  [[], 'Choose list, reset-password, unlock or correct-clock.'],
  [['correct-clock', 'now'], 'correct-clock takes no name.'],
  [['list', '--yes'], '--yes is only for correct-clock.'],
  [['reset-password'], 'Name one account.'],
  [['unlock', 'anna', 'bert'], 'Name one account.'],
  [['unlock', 'anna', '--address', '192.0.2.1'], 'Give a name or --address, not both.'],
  [['list', 'anna'], 'list takes no name.'],
  [['unlock', 'anna', '--all'], '--all is only for list.'],
])('refuses %j', (args, why) => {
  expect(() => readAdminWish(args)).toThrow(why);
});
