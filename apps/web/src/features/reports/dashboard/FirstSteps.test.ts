import { expect, it, vi } from 'vitest';
import { stepsOf } from './FirstSteps.tsx';

vi.mock('../../../ui/page/PathLink.tsx', () => ({ PathLink: 'a' }));

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const NONE = {
  counts: {},
  hasPlayed: false,
  hasGiven: false,
  steps: { hasCredit: false, playerHasCredit: false, hasBet: false, panel: null },
};

it('a superadmin has eight steps, each done by what exists', () => {
  const done = (now: Parameters<typeof stepsOf>[1]) =>
    stepsOf({ role: 'superadmin', _id: ID }, now)
      .map((step) => (step.done ? 'x' : '-'))
      .join('');
  expect(done(NONE)).toBe('--------');
  expect(done({ ...NONE, steps: { ...NONE.steps, hasCredit: true } })).toBe('x-------');
  const counts = { admin: 1, superdistributor: 1, distributor: 1, retailer: 1, user: 1 };
  expect(done({ ...NONE, counts })).toBe('-xxxxx--');
  const panel = { gameId: 'g1', adminId: ID, username: 'north' };
  const all = { hasCredit: true, playerHasCredit: true, hasBet: true, panel };
  expect(done({ ...NONE, counts, steps: all })).toBe('xxxxxxxx');
  expect(stepsOf({ role: 'superadmin', _id: ID }, { ...NONE, steps: all }).at(-1)!.href).toBe(
    `/superadmin/game/g1/${ID}/north`,
  );
});

it('other roles begin with their own children', () => {
  const texts = (role: 'admin' | 'retailer', steps: (typeof NONE)['steps'] | null) =>
    stepsOf({ role, _id: ID }, { ...NONE, steps }).map(({ text }) => text);
  expect(texts('admin', NONE.steps)).toEqual([
    'Add a super distributor',
    'Add a distributor',
    'Add a retailer',
    'Add a player',
    'Give a player credit',
    'See the first bet on a live panel',
  ]);
  expect(texts('retailer', null)).toEqual(['Add a player', 'Give credit to your players']);
});

it('a superadmin of another cell than the first issues no credit', () => {
  const [first] = stepsOf({ role: 'superadmin', _id: ID, followsFirstCell: true }, NONE);
  expect(first!.href).toBe('/superadmin/admin/create');
});
