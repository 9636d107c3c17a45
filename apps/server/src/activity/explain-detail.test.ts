import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainDetail } from './explain-detail.ts';

describe('the explanation of a log row', () => {
  it('describes the command in words', () => {
    const changes = [{ what: 'Commission', of: 'anita', before: '2 %', after: '3 %' }];
    expect(explainDetail({ accountId: 'a1', commission: 3, changes })).toEqual(changes);
  });

  it('names games and admins of limits and win percentages by their names at that time', () => {
    const limits = [
      {
        gameId: 'funtargetbingo',
        gameName: 'Fun Target Bingo',
        before: { perNumber: null, perTicket: 5 },
        after: { perNumber: 1000, perTicket: 5 },
      },
      { gameId: 'gone', gameName: 'Old Game', before: { perPlayer: 7.5 }, after: { perPlayer: null } },
    ];
    const detail = { adminId: 'a1', adminName: 'anita', limits };
    expect(explainDetail(detail)).toEqual([
      { what: 'Limit per number', of: 'Fun Target Bingo of anita', before: null, after: '1,000.00' },
      { what: 'Limit per player', of: 'Old Game of anita', before: '7.50', after: null },
    ]);
    const percentages = [{ ...limits[0]!, adminId: 'x', adminName: 'boris', before: null, after: 90.25 }];
    expect(explainDetail({ percentages })).toEqual([
      { what: 'Win percentage', of: 'Fun Target Bingo of boris', before: null, after: '90.25 %' },
    ]);
  });

  it('lists each changed field of a game and notes a changed image', () => {
    const before = {
      gameName: 'Old',
      unitPrice: 1,
      times: [60],
      logo: '/a',
      images: ['/1', '/2'],
      pays: { a: 9, b: 1 },
    };
    const after = {
      gameName: 'New',
      unitPrice: 1,
      times: [30, 60],
      logo: '/b',
      images: ['/1', '/3'],
      pays: { a: 8.5, b: 1 },
    };
    expect(explainDetail({ gameId: 'k', before, after })).toEqual([
      { what: 'Name', before: 'Old', after: 'New' },
      { what: 'Times', before: '60 s', after: '30 s, 60 s' },
      { what: 'Logo', before: 'An image', after: 'Other: an image' },
      { what: 'Outcome images', before: '2 images', after: 'Other: 2 images' },
      { what: 'Pays on a', before: '9', after: '8.5' },
    ]);
  });

  it('shows what a command without changes was asked to set', () => {
    expect(explainDetail({ accountId: 'a1', commission: 2.5, userStatus: false })).toEqual([
      { what: 'Commission', before: null, after: '2.5 %' },
      { what: 'Status', before: null, after: 'Deactive' },
    ]);
  });

  it('is empty without details', () => expect(explainDetail(null)).toEqual([]));

  it('shows only known fields, whatever the row contains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('password', 'hash', 'token', 'passwordHash'), (value, name) => {
        const detail = {
          [name]: 'secret-42',
          before: { [name]: 'secret-42', x: value },
          after: value,
          limits: value,
          changes: [value],
        };
        expect(JSON.stringify(explainDetail(detail as never))).not.toContain('secret-42');
      }),
    );
  });
});
