import { expect, it } from 'vitest';
import { mergeFreshTexts, changedRows, namedByRow, textsOf } from './rowForm.ts';

const FIELDS = ['perNumber', 'perTicket'] as const;
const rows = [
  { id: 'a', perNumber: 500, perTicket: null },
  { id: 'b', perNumber: null, perTicket: 12.5 },
];
const before = textsOf(rows, FIELDS);

it('an input shows its number, or nothing', () => {
  expect(before).toEqual({ 'a:perNumber': '500', 'a:perTicket': '', 'b:perNumber': '', 'b:perTicket': '12.5' });
});

it('only edited rows count as changed', () => {
  const typed = { ...before, 'a:perTicket': ' ', 'b:perTicket': '' };
  expect(changedRows(rows, FIELDS, before, typed).map(({ id }) => id)).toEqual(['b']);
  expect(changedRows(rows, FIELDS, before, before)).toEqual([]);
});

it('edits survive a refresh; other values follow', () => {
  const typed = { ...before, 'a:perNumber': '700' };
  const fresh = { ...before, 'a:perNumber': '600', 'b:perTicket': '', 'c:perNumber': '1' };
  expect(mergeFreshTexts(before, typed, fresh)).toEqual({ ...fresh, 'a:perNumber': '700' });
  expect(mergeFreshTexts(before, typed, { ...before })).toBeNull();
});

it('server errors of a row appear at its input', () => {
  const fields = { 'updates.1.perTicket': 'Too much', updates: 'Too many', 'updates.7.perTicket': 'Who?' };
  expect(namedByRow(fields, [rows[1]!, rows[0]!])).toEqual({
    'a:perTicket': 'Too much',
    updates: 'Too many',
    'updates.7.perTicket': 'Who?',
  });
});
