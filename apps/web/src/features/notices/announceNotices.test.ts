import type { OwnNotice } from '@drawhouse/contract/auth/own-notices';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announceOwnNotices, setAnnounced } from './announceNotices.ts';

const shown: string[] = [];

class FakeNotification {
  static readonly permission = 'granted';
  static readonly requestPermission = async () => 'granted';
  constructor(title: string, { body }: { body: string }) {
    shown.push(`${title}: ${body}`);
  }
}

beforeEach(() => {
  const store = new Map<string, string>();
  shown.length = 0;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
    removeItem: (key: string) => store.delete(key),
  });
  vi.stubGlobal('window', { Notification: FakeNotification });
  vi.stubGlobal('Notification', FakeNotification);
});
afterEach(() => vi.unstubAllGlobals());

const notice = (minute: number, kind: OwnNotice['kind']): OwnNotice => ({
  _id: `${minute}`,
  kind,
  by: 'anita',
  subject: '',
  ipAddress: null,
  createdAt: `2026-11-29T10:0${minute}:00.000Z`,
  isRead: false,
});

it('announces each own notice once, also for several tabs and after a reload', async () => {
  await setAnnounced('browser', true);
  const first = notice(1, 'password');
  announceOwnNotices([first]);
  announceOwnNotices([first]);
  announceOwnNotices([notice(2, 'factor'), first]);
  announceOwnNotices([first]);
  expect(shown).toEqual([
    'Changes to your login: Password changed. anita',
    'Changes to your login: Second factor changed. anita',
  ]);
});

it('does not announce later what came while announcements were off', async () => {
  announceOwnNotices([notice(1, 'rights')]);
  await setAnnounced('browser', true);
  announceOwnNotices([notice(1, 'rights')]);
  expect(shown).toEqual([]);
});
