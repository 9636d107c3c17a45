import type { Found } from '@drawhouse/contract/reports/find';
import { describe, expect, it, vi } from 'vitest';
import { commandItems, foundItems, readCommand } from './paletteFinds.ts';
import { addItems, inGroups, matchItems } from './paletteItems.ts';

vi.mock('../../lib/session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const account = {
  _id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  username: 'aarav101',
  uniqueId: 'U7K2M9P',
  role: 'user',
  userStatus: true,
  reference: 'r1',
} as const;

describe('a typed command', () => {
  it.each([
    ['top up aarav101 500', 'aarav101', '500'],
    ['Topup aarav101 by 1,250.50', 'aarav101', '1,250.50'],
    ['transfer 500', '500', ''],
    ['top up aarav101 12.345', 'aarav101 12.345', ''],
    ['statement of r1', 'r1', ''],
    ['statement r1', 'r1', ''],
    ['edit r1', 'r1', ''],
  ])('%s names an account and an amount', (text, named, amount) => {
    expect(readCommand(text)).toMatchObject({ account: named, amount });
  });

  it.each(['top up', 'top', 'statement of', 'statements r1', 'aarav101 500', ''])('"%s" is none', (text) => {
    expect(readCommand(text)).toBeNull();
  });

  it.each(['aarav101 03:49', 'tickets of aarav101 at 3:49', 'ticket aarav101 3:49'])('"%s" names a time', (text) => {
    expect(readCommand(text)).toEqual({ account: 'aarav101', minute: '03:49' });
  });

  it('leads to the tickets of the last such minute', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 29, 12) });
    const hrefAt = (minute: string) => commandItems('admin', readCommand(`aarav101 ${minute}`)!, [account])[0]!.href!;
    const timeIn = (href: string) => Number.parseInt(/before=(\w{8})-(\w{4})/.exec(href)!.slice(1).join(''), 16);
    const [earlier, later] = [hrefAt('11:00'), hrefAt('13:00')];
    expect(earlier).toMatch(new RegExp(`^/admin/gamehistory\\?userId=${account._id}&before=`));
    expect(timeIn(earlier)).toBe(new Date(2026, 10, 29, 11, 1).getTime());
    expect(later).toContain('period=6');
    expect(timeIn(later)).toBe(new Date(2026, 10, 28, 13, 1).getTime());
    vi.useRealTimers();
  });

  it('leads to the filled form', () => {
    const [item] = commandItems('admin', readCommand('top up aar 500')!, [account]);
    expect(item).toMatchObject({
      label: 'Top up aarav101 by 500',
      hint: 'Credit Transfer · Player · U7K2M9P',
      href: `/admin/user/credittransfer/${account._id}?amount=500`,
    });
    expect(commandItems('admin', readCommand('statement of aar')!, [account])[0]!.href).toBe(
      `/admin/user/statement/${account._id}`,
    );
  });
});

it('results name their kind', () => {
  const found = {
    success: true,
    accounts: [account, { ...account, userStatus: false }],
    tickets: [
      {
        _id: account._id,
        ticketId: '0G7X-9K2M-41QZ',
        gameName: 'Lucky 10',
        username: 'aarav101',
        placedAt: '2026-03-10T10:00:00.000Z',
        playpoints: 5,
        winpoints: 45,
        status: 'settled',
      },
    ],
    draws: [],
    transactions: [],
  } satisfies Found;
  expect(foundItems('retailer', found).map(({ label, hint }) => [label, hint])).toEqual([
    ['aarav101', 'Player · U7K2M9P · below r1'],
    ['aarav101', 'Player · U7K2M9P · not active · below r1'],
    ['0G7X-9K2M-41QZ', 'Ticket · aarav101 · Lucky 10 · 5.00 · won 45.00'],
  ]);
});

describe('the list', () => {
  const icon = (() => null) as never;
  const item = (group: 'Recent' | 'Pages' | 'Live panels', label: string, href = `/${label}`) =>
    ({ id: `${group} ${label}`, group, label, href, icon }) as const;

  it('puts recent finds first, each once', () => {
    const { items } = matchItems([item('Pages', 'turnover'), item('Pages', 'old'), item('Recent', 'old')], 'o');
    expect(items.map(({ id }) => id)).toEqual(['Recent old', 'Pages turnover']);
  });

  it('limits panels and counts the rest', () => {
    const panels = Array.from({ length: 15 }, (_, index) => item('Live panels', `panel ${index}`));
    const { items, more } = inGroups(panels);
    expect([items.length, more.get('Live panels')]).toEqual([12, 3]);
  });
});

it('offers to add and import the accounts below, but imports no admins', () => {
  const hrefs = addItems('superadmin').map(({ href }) => href);
  expect(hrefs).toContain('/superadmin/admin/create');
  expect(hrefs).toContain('/superadmin/user/import');
  expect(hrefs).not.toContain('/superadmin/admin/import');
  expect(addItems('retailer').map(({ label }) => label)).toEqual(['Add Users', 'Import Users']);
});
