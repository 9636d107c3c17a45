import { expect, it } from 'vitest';
import { paperAddress, readPaper } from './paper-address.ts';

const digest = 'a7'.repeat(32);
const paper = { drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d', ticketId: '0ABC-1DEF-2GHJ', digest };

it('survives a round trip', () => {
  const { pathname, hash, search } = new URL(paperAddress('https://house.example', paper));
  expect([pathname, search]).toEqual([`/fair/${paper.drawId}`, '']);
  expect(readPaper(hash)).toEqual({ ticketId: paper.ticketId, digest });
  expect(readPaper(hash.toUpperCase().replace('TICKET', 'ticket').replace('DIGEST', 'digest'))?.digest).toBe(digest);
});

it.each(['', '#', '#ticket=0ABC-1DEF-2GHJ', `#digest=${digest}`, '#ticket=A&digest=short', '#verdict'])(
  'rejects %j',
  (hash) => expect(readPaper(hash)).toBeNull(),
);
