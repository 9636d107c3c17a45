import { expect, it } from 'vitest';
import { isDrawId, readDrawId, readTicketName } from './fairDraw.ts';

const ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

it('recognizes a draw id and finds it in pasted text', () => {
  expect(isDrawId(ID)).toBe(true);
  for (const text of ['', '7', `${ID}0`, ` ${ID}`, ID.slice(1), ID.replace('b', 'g')])
    expect(isDrawId(text)).toBe(false);
  for (const text of [ID, ` ${ID}\n`, `https://a.example/fair/${ID}?x=1`, `/api/fair/draw/${ID}`, ID.toUpperCase()])
    expect(readDrawId(text)).toBe(ID);
  for (const text of ['', '29922005', ID.replaceAll('-', '')]) expect(readDrawId(text)).toBeNull();
});

const TICKET_ID = '01a202de-089b-7000-b492-2eae618ee3a1';

it.each(['5QG8-KDGR-XRX1', '5qg8-kdgr-xrx1', ' 5QG8 KDGR XRX1\n', '5qg8kdgrxrx1'])('reads the number in %j', (text) => {
  expect(readTicketName(text)).toBe('5QG8-KDGR-XRX1');
});

it('reads an id', () => {
  expect(readTicketName(` ${TICKET_ID.toUpperCase()} `)).toBe(TICKET_ID);
});

it.each(['', '5QG8-KDGR', '5QG8-KDGR-XRX1-0000', '123456789012345', '{}', `{"_id":"${TICKET_ID}"}`])(
  'rejects %j',
  (text) => {
    expect(readTicketName(text)).toBeNull();
  },
);
