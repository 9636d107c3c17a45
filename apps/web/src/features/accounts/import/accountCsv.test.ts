import { describe, expect, it } from 'vitest';
import { decodeCsv, readAccountCsv, roleProblem, SAMPLE_CSV } from './accountCsv.ts';
import { firstPassword } from '../edit/accountForm.ts';

const rows = (text: string) => readAccountCsv(text).rows.map(({ line, row }) => [line, row]);
const problem = (text: string) => readAccountCsv(text).problem;

describe('accounts in a CSV', () => {
  it.each([
    ['commas', 'UserName,Note\nanita,hello'],
    ['semicolons', 'UserName;Note\nanita;hello'],
    ['tabs, as pasted from a spreadsheet', 'UserName\tNote\nanita\thello'],
    ['a byte order mark', '\uFEFFUserName,Note\nanita,hello'],
    ['CRLF and no last line end', 'UserName,Note\r\nanita,hello'],
    ['quoted names of other cases', '"USER_NAME"," note "\nanita,"hello"'],
    ['empty and blank lines', 'UserName,Note\n\nanita,hello\n,\n'],
  ])('are read with %s', (_name, text) => {
    expect(rows(text).map(([, row]) => row)).toEqual([{ username: 'anita', note: 'hello' }]);
  });

  it('keep quotes, line ends and separators inside quotes, and their lines', () => {
    expect(rows('UserName,Note\nanita,"a ""b"",\nc"\nkabir,x')).toEqual([
      [2, { username: 'anita', note: 'a "b",\nc' }],
      [4, { username: 'kabir', note: 'x' }],
    ]);
  });

  it('use the separator that Excel names, and count its line', () => {
    expect(rows('sep=;\r\nUserName;Note\r\nanita;1,5')).toEqual([[3, { username: 'anita', note: '1,5' }]]);
  });

  it('may be only usernames, one a line', () => {
    expect(rows('anita\n\nkabir\n')).toEqual([
      [1, { username: 'anita' }],
      [3, { username: 'kabir' }],
    ]);
  });

  it('may hold a username that looks like a heading, below the heading', () => {
    expect(rows('UserName\nplayer\nplayer1')).toEqual([
      [2, { username: 'player' }],
      [3, { username: 'player1' }],
    ]);
    expect(rows('player1\nuserina\nplayer')).toHaveLength(3);
  });

  it('may leave fields out at the end', () => {
    expect(rows('UserName,Password,Refer ID\nanita')).toEqual([
      [2, { username: 'anita', password: '', reference: '' }],
    ]);
  });

  it.each([
    ['', 'The file is empty.'],
    [
      'Player\nanna',
      '“Player” in line 1 looks like a heading. Delete it; if it is a username, put the heading UserName above it.',
    ],
    [
      ' User ID\nanna',
      '“User ID” in line 1 looks like a heading. Delete it; if it is a username, put the heading UserName above it.',
    ],
    ['UserName', 'There are no rows below the column names.'],
    [
      'anita,kabir\nx,y',
      'The first line must name the columns: UserName, Password, Commission, Note, Refer ID, Status.',
    ],
    [
      'UserName,Pasword\na,b',
      'There is no column “Pasword”. Columns are UserName, Password, Commission, Note, Refer ID, Status.',
    ],
    ['UserName,Note,note\na,b,c', 'The column Note is listed twice.'],
    [
      'UserName,Note\nanita,a,b',
      'Line 2 has 3 fields, but there are 2 columns. Put texts that contain a separator in quotes.',
    ],
    ['UserName,Note\nanita,"open', 'Line 2 has a quote that does not close.'],
    [`UserName\n${'x\n'.repeat(501)}`, 'The file has 501 rows. Import at most 500 at once.'],
  ])('are refused: %j', (text, said) => {
    expect(problem(text)).toBe(said);
  });

  it('take 500 rows', () => {
    expect(readAccountCsv(`UserName\n${'x\n'.repeat(500)}`).rows).toHaveLength(500);
  });

  it('have a sample that can be read', () => {
    expect(rows(SAMPLE_CSV).map(([, row]) => (row as { username: string }).username)).toEqual(['anita', 'kabir']);
  });
});

it('a row of another role is refused, and an admin with the reason', () => {
  const { rows: read } = readAccountCsv('UserName,Role\nanita,Player\nkavya,Admin\ndev,Super Distributor\nmeera,\n');
  expect(read.map(({ role }) => roleProblem(role, 'user', 'Users'))).toEqual([
    null,
    'Admins can’t be imported, because each needs its games. Add them one by one',
    'Only Users are imported here',
    null,
  ]);
  expect(read[0]!.row).toEqual({ username: 'anita' });
});

it('decodes files saved by spreadsheets', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  expect(decodeCsv(encode('é'))).toBe('é');
  expect(decodeCsv(new Uint8Array([0xe9]))).toBe('é');
  expect(decodeCsv(new Uint8Array([0xff, 0xfe, 0xe9, 0x00]))).toBe('é');
});

it('first passwords are random, readable and no formula', () => {
  const passwords = Array.from({ length: 200 }, firstPassword);
  for (const password of passwords) expect(password).toMatch(/^[a-hj-km-np-z2-9]{4}(-[a-hj-km-np-z2-9]{4}){2}$/);
  expect(new Set(passwords).size).toBe(200);
});
