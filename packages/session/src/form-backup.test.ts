import { expect, it } from 'vitest';
import { saveForm, restoreForm } from './form-backup.ts';

const storage = (): Storage => {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
    get length() {
      return texts.size;
    },
  } as Storage;
};
const PLACE = { userId: 'ann', path: '/retailer/user/create', fields: ['username', 'note', 'password'] };
const TYPED = { username: 'bob', note: 'new', password: 'secret', games: ['a', 'b'], image: { name: 'x.png' } };

it('restores input once, for the same account and page, without passwords and files', () => {
  const tab = storage();
  saveForm(tab, PLACE, TYPED);
  expect(tab.getItem('keptForms')).not.toContain('secret');
  expect(restoreForm(tab, { ...PLACE, path: '/retailer/profile' })).toBeNull();
  expect(restoreForm(tab, { ...PLACE, fields: ['amount'] })).toBeNull();
  expect(restoreForm(tab, PLACE)).toEqual({ username: 'bob', note: 'new', games: ['a', 'b'] });
  expect([restoreForm(tab, PLACE), tab.length]).toEqual([null, 0]);
});

it('discards it when another account signs in', () => {
  const tab = storage();
  saveForm(tab, PLACE, TYPED);
  expect(restoreForm(tab, { ...PLACE, userId: 'eve' })).toBeNull();
  expect([restoreForm(tab, PLACE), tab.length]).toEqual([null, 0]);
});
