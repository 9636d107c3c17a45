import { expect, it } from 'vitest';
import { parseAdminArgs } from '../commands/run-admin.ts';

it('parses its arguments', () => {
  expect(parseAdminArgs(['list'])).toEqual({ what: 'list', roles: ['superadmin', 'admin'] });
  expect(parseAdminArgs(['list', '--all'])).toMatchObject({ roles: expect.not.arrayContaining(['user']) });
  expect(parseAdminArgs(['reset-password', 'anna'])).toEqual({ what: 'reset-password', name: 'anna' });
  expect(parseAdminArgs(['reset-factor', 'anna'])).toEqual({ what: 'reset-factor', name: 'anna' });
  expect(parseAdminArgs(['unlock', '--address', '192.0.2.1'])).toEqual({
    what: 'unlock-address',
    address: '192.0.2.1',
  });
  expect(parseAdminArgs(['correct-clock'])).toEqual({ what: 'correct-clock', isMeant: false });
  expect(parseAdminArgs(['correct-clock', '--yes'])).toEqual({ what: 'correct-clock', isMeant: true });
});

it.each([
  [[], 'Choose list, reset-password, reset-factor, reset-places, unlock or correct-clock.'],
  [['correct-clock', 'now'], 'correct-clock takes no name.'],
  [['list', '--yes'], '--yes is only for correct-clock.'],
  [['reset-password'], 'Name one account.'],
  [['unlock', 'anna', 'bert'], 'Name one account.'],
  [['unlock', 'anna', '--address', '192.0.2.1'], 'Name an account or an --address, not both.'],
  [['list', 'anna'], 'list takes no name.'],
  [['unlock', 'anna', '--all'], '--all is only for list.'],
])('refuses %j', (args, why) => {
  expect(() => parseAdminArgs(args)).toThrow(why);
});
