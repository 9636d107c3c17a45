import { DEFAULT_GAMBLING_HELP } from '@drawhouse/contract/house/gambling-help';
import { expect, it } from 'vitest';
import { changesOfHouse, formOfHouse, helpError, houseErrors, linesOf, parseLines } from './houseForm.ts';

const HOUSE = formOfHouse({
  name: 'Lucky Star',
  logo: { url: '/api/images/0', width: 10, height: 10 },
  color: null,
  helpLine: '',
  ageNotice: 'Only adults may play.',
  terms: '',
  gamblingHelp: [...DEFAULT_GAMBLING_HELP],
});
const sent = (after: Partial<typeof HOUSE>) => {
  const data = changesOfHouse(HOUSE, { ...HOUSE, ...after });
  return data && Object.fromEntries(data);
};

it('reads the help lines that it writes', () => {
  expect(parseLines(linesOf(DEFAULT_GAMBLING_HELP))).toEqual(DEFAULT_GAMBLING_HELP);
  expect(parseLines('\n in ;Tele-MANAS; 14416 \n')).toEqual([{ country: 'IN', name: 'Tele-MANAS', contact: '14416' }]);
  expect(parseLines('')).toEqual([]);
});

it('names the first wrong line', () => {
  for (const line of ['IN', 'IN; Tele-MANAS', 'IN; ; 14416', 'IN; a; b; c'])
    expect(houseErrors({ ...HOUSE, gamblingHelp: `IN; Tele-MANAS; 14416\n\n${line}` })).toEqual({
      gamblingHelp: 'Line 3: enter country; name; contact',
    });
  expect(Object.keys(houseErrors({ ...HOUSE, name: ' ', color: 'red' }))).toEqual(['name', 'color']);
  expect(houseErrors({ ...HOUSE, color: '#AA3300' })).toEqual({});
});

it('shows what the server finds wrong with an entry', () => {
  expect(helpError({})).toBeUndefined();
  expect(helpError({ gamblingHelp: 'Line 2: wrong' })).toBe('Line 2: wrong');
  expect(helpError({ 'gamblingHelp.2.country': 'Write two letters' })).toBe('Help line 3: Write two letters');
});

it('sends the changed fields alone', () => {
  expect(sent({})).toBeNull();
  expect(sent({ name: 'Lucky Star ' })).toBeNull();
  expect(sent({ name: 'Night Market', color: '#aa3300' })).toEqual({ name: 'Night Market', color: '#aa3300' });
  expect(sent({ logo: null })).toEqual({ logo: '' });
  expect(sent({ gamblingHelp: 'IN; Tele-MANAS; 14416' })).toEqual({
    gamblingHelp: '[{"country":"IN","name":"Tele-MANAS","contact":"14416"}]',
  });
});

it('goes back to the default list, which later versions may correct', () => {
  const own = { ...HOUSE, gamblingHelp: 'IN; Tele-MANAS; 14416' };
  expect(changesOfHouse(own, HOUSE)!.get('gamblingHelp')).toBe('');
});
