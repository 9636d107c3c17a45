import { describe, expect, it } from 'vitest';
import { readImportRows } from './import-rows.ts';

const row = { username: 'anita', password: 'blue horse 42 x' };
const problemsOf = (...rows: Parameters<typeof readImportRows>[1]) =>
  readImportRows('user', rows, false).problems.map(({ row: nth, field, message }) => [nth, field, message]);

describe('rows of an import', () => {
  it('have defaults for all but name and password', () => {
    expect(readImportRows('user', [row], false)).toEqual({
      problems: [],
      read: [{ ...row, role: 'user', commission: 0, note: 'add notes', active: true, reference: '' }],
    });
  });

  it.each([
    [{ commission: '2.5' }, { commission: 2.5 }],
    [{ commission: ' 2,5 % ' }, { commission: 2.5 }],
    [{ status: 'DEACTIVE' }, { active: false }],
    [{ status: ' active ' }, { active: true }],
    [{ reference: ' west ' }, { reference: 'west' }],
    [{ username: ' ａnita ' }, { username: 'anita' }],
    [{ note: '=1+1' }, { note: '=1+1' }],
  ])('read %j', (given, is) => {
    const { read, problems } = readImportRows('user', [{ ...row, ...given }], false);
    expect(problems).toEqual([]);
    expect(read[0]).toMatchObject(is);
  });

  it.each([
    [{ username: '' }, 'username', 'Username is required'],
    [
      { username: '=HYPERLINK("x")' },
      'username',
      'Use 3 to 32 letters from a to z, digits, dots, underscores or hyphens',
    ],
    [{ password: '' }, 'password', 'Password is required'],
    [{ password: 'short' }, 'password', 'Use at least 8 characters'],
    [{ commission: 'two' }, 'commission', 'Enter a percentage from 0 to 100, such as 2.5'],
    [{ commission: '1.234' }, 'commission', 'Enter a percentage from 0 to 100 with at most 2 decimals'],
    [{ commission: '101' }, 'commission', 'Enter a percentage from 0 to 100 with at most 2 decimals'],
    [{ commission: '-1' }, 'commission', 'Enter a percentage from 0 to 100, such as 2.5'],
    [{ status: 'on' }, 'status', 'Enter Active or Deactive, or leave it empty for Active'],
  ])('refuse %j', (given, field, message) => {
    expect(problemsOf(row, { ...row, username: 'kabir', ...given })).toEqual([[1, field, message]]);
  });

  it('refuse a name that appears twice, whatever its case', () => {
    expect(problemsOf(row, { ...row, username: ' ANITA' })).toEqual([
      [1, 'username', 'This name is listed twice. Use each name once'],
    ]);
  });

  it('may lack passwords while they are only checked', () => {
    expect(readImportRows('user', [{ username: 'anita' }], true).problems).toEqual([]);
  });
});
