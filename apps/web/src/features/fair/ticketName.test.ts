import { expect, it } from 'vitest';
import { readTicketName } from './ticketName.ts';

const ID = '01a202de-089b-7000-b492-2eae618ee3a1';

it.each(['5QG8-KDGR-XRX1', '5qg8-kdgr-xrx1', ' 5QG8 KDGR XRX1\n', '5qg8kdgrxrx1'])('reads the number in %j', (text) => {
  expect(readTicketName(text)).toBe('5QG8-KDGR-XRX1');
});

it('reads an id', () => {
  expect(readTicketName(` ${ID.toUpperCase()} `)).toBe(ID);
});

it.each(['', '5QG8-KDGR', '5QG8-KDGR-XRX1-0000', '123456789012345', '{}', `{"_id":"${ID}"}`])('rejects %j', (text) => {
  expect(readTicketName(text)).toBeNull();
});
