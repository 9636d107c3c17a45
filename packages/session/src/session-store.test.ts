import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { describe, expect, it } from 'vitest';
import { PERSISTED_KEY } from './session-storage.ts';
import { createSessionStore } from './session-store.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-01-31T12:00:00.000Z');
const USER: AuthUser = {
  _id: '1',
  username: 'ann',
  role: 'user',
  roles: 'user',
  walletBalance: 0,
  userStatus: true,
  uniqueId: 'A1',
  timeZone: 'Asia/Kolkata',
  testNetwork: false,
  secondFactor: false,
  mustAddFactor: false,
  mustChangePassword: false,
};

class Texts extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, text: string) => void this.set(key, text);
  removeItem = (key: string) => void this.delete(key);
}

/** Tabs share storage. `pass` advances the clock and delivers storage events to awake tabs. */
function browser() {
  let nowMs = NOON;
  const shared = new Texts();
  const undelivered: (() => void)[] = [];
  const tabs: { deliver: (news: { key: string; oldValue: string | null; newValue: string | null }) => void }[] = [];
  const timers = new Map<number, { at: number; wake: () => void }>();
  let timerCount = 0;
  const open = (kept = new Texts()) => {
    const tab = { deliver: (_: { key: string; oldValue: string | null; newValue: string | null }): void => {} };
    const write = (key: string, newValue: string | null) => {
      const oldValue = shared.getItem(key);
      if (newValue === null) shared.delete(key);
      else shared.set(key, newValue);
      if (oldValue === newValue) return;
      for (const other of tabs) if (other !== tab) undelivered.push(() => other.deliver({ key, oldValue, newValue }));
    };
    tabs.push(tab);
    const store = createSessionStore(
      {
        localStorage: {
          getItem: shared.getItem,
          setItem: write,
          removeItem: (key) => write(key, null),
        },
        sessionStorage: kept,
        performance: { now: () => nowMs - NOON },
        document: { addEventListener: () => {} },
        addEventListener: (type: string, listener: (news: never) => void) => {
          if (type === 'storage') tab.deliver = listener as typeof tab.deliver;
        },
        setTimeout: (then, ms) => {
          timers.set(++timerCount, { at: nowMs + ms, wake: then });
          return timerCount;
        },
        clearTimeout: (timer) => void timers.delete(timer!),
      },
      () => nowMs,
    );
    return { ...store, kept, sleep: () => void tabs.splice(tabs.indexOf(tab), 1) };
  };
  const pass = (ms: number) => {
    const until = nowMs + ms;
    while (undelivered.length > 0) undelivered.shift()!();
    for (;;) {
      const [next] = [...timers].filter(([, { at }]) => at <= until).toSorted(([, a], [, b]) => a.at - b.at);
      if (!next) break;
      timers.delete(next[0]);
      nowMs = next[1].at;
      next[1].wake();
    }
    nowMs = until;
  };
  return { open, pass, shared, inMinutes: (minutes: number) => new Date(nowMs + minutes * MINUTE).toISOString() };
}

describe('a session has one role', () => {
  it('and does not start without one', () => {
    const { open, inMinutes } = browser();
    const tab = open();
    tab.startSession('secret', inMinutes(30), { ...USER, role: undefined } as unknown as AuthUser);
    expect([tab.getSession(), tab.kept.size]).toEqual([null, 0]);
  });

  it.each([undefined, 'admin'])('and ends if the server names the role %s', (role) => {
    const { open, inMinutes, shared } = browser();
    const tab = open();
    tab.startSession('secret', inMinutes(30), USER);
    tab.updateSession({ ...USER, role } as unknown as AuthUser, inMinutes(30));
    expect([tab.getSession(), tab.kept.size, shared.size, tab.getSessionEnd()]).toEqual([null, 0, 0, 'ended']);
  });

  it.each([
    ['the tab kept none', (kept: Texts) => kept.delete('role')],
    ['the tab kept a word that is no role', (kept: Texts) => kept.set('role', 'king')],
    ['the tab kept another', (kept: Texts) => kept.set('role', 'admin')],
    ['all tabs kept another', (_: Texts, shared: Texts) => replaceRole(shared, '"roles":"user"', '"roles":"admin"')],
    ['all tabs kept none', (_: Texts, shared: Texts) => replaceRole(shared, '"roles":"user"', '"roles":""')],
    ['the account has another', (_: Texts, shared: Texts) => replaceRole(shared, '"role":"user"', '"role":"admin"')],
  ])('and is dropped at the next load if %s', (_, spoil) => {
    const { open, inMinutes, shared } = browser();
    const { kept, startSession } = open();
    startSession('secret', inMinutes(30), USER);
    spoil(kept, shared);
    const reloaded = open(kept);
    expect([reloaded.getSession(), kept.size, shared.size, reloaded.getSessionEnd()]).toEqual([null, 0, 0, 'ended']);
  });
});

function replaceRole(shared: Texts, from: string, to: string): void {
  shared.set(PERSISTED_KEY, shared.getItem(PERSISTED_KEY)!.replace(from, to));
}

describe('tabs that share a session', () => {
  it('share it when opened, and end together with a reason', () => {
    const { open, pass, inMinutes, shared } = browser();
    const first = open();
    first.startSession('secret', inMinutes(30), USER);
    const second = open();
    expect(second.getSession()).toMatchObject({ token: 'secret', role: 'user', user: USER });
    first.endSession('signed-out');
    pass(0);
    expect([first.getSessionEnd(), second.getSessionEnd()]).toEqual(['signed-out', 'other-tab']);
    expect([second.getSession(), shared.size, second.kept.size]).toEqual([null, 0, 0]);
  });

  it.each([
    ['replaced', 'replaced'],
    ['ended', 'ended'],
  ] as const)('learn that it was %s', (why, ending) => {
    const { open, pass, inMinutes } = browser();
    const first = open();
    first.startSession('secret', inMinutes(30), USER);
    const second = open();
    first.endSession(why, 'secret');
    pass(0);
    expect(second.getSessionEnd()).toBe(ending);
  });

  it('keep it alive by use in one tab, even if another misses the news', () => {
    const { open, pass, inMinutes } = browser();
    const first = open();
    first.startSession('secret', inMinutes(30), USER);
    const second = open();
    second.sleep();
    pass(20 * MINUTE);
    first.noteSessionUse('secret');
    pass(10.5 * MINUTE);
    expect(second.getSession()).toMatchObject({ expiresAt: NOON + 50 * MINUTE });
    expect(second.getSessionTime().phase).toBe('running');
  });

  it('ignore a tab of another session', () => {
    const { open, pass, inMinutes, shared } = browser();
    const first = open();
    first.startSession('old', inMinutes(30), USER);
    const second = open();
    second.startSession('new', inMinutes(30), USER);
    first.endSession('ended', 'old');
    pass(0);
    expect(second.getSession()?.token).toBe('new');
    expect(shared.get(PERSISTED_KEY)).toContain('"new"');
  });
});

describe('a session', () => {
  it('warns each second of its last two minutes, then ends', () => {
    const { open, pass, inMinutes } = browser();
    const tab = open();
    tab.startSession('secret', inMinutes(30), USER);
    let calls = 0;
    tab.onSessionTime(() => calls++);
    pass(27 * MINUTE);
    expect([calls, tab.getSessionTime()]).toEqual([0, { phase: 'running', leftMs: Infinity }]);
    pass(2 * MINUTE);
    expect([calls, tab.getSessionTime()]).toEqual([61, { phase: 'warning', leftMs: MINUTE }]);
    pass(MINUTE);
    expect([tab.getSession(), tab.getSessionEnd()]).toEqual([null, 'ended']);
  });

  it('survives a reload unless the stored state is invalid', () => {
    const { open, inMinutes, shared } = browser();
    const tab = open();
    tab.startSession('secret', inMinutes(30), USER);
    expect(open(tab.kept).getSession()?.token).toBe('secret');
    shared.set(PERSISTED_KEY, '{"auth":{"token":"secret"}}');
    const again = open(tab.kept);
    expect([again.getSession(), again.getSessionEnd(), shared.size, tab.kept.size]).toEqual([null, 'ended', 0, 0]);
  });
});
