import { inclusionPath, treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { expect, it } from 'vitest';
import { paperFinding } from '../draw/drawFinding.ts';

const digests = Array.from({ length: 5 }, (_, index) => new Uint8Array(32).fill(index + 1));
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const draw = { ticketRoot: hex(treeRoot(digests)), tickets: 5 };
const answer = { digest: hex(digests[3]!), index: 3, size: 5, path: inclusionPath(digests, 3).map(hex) };

it("finds the paper's digest in the draw's tree", () => {
  expect(paperFinding(hex(digests[3]!), answer, draw)).toBe('in');
});

it('trusts neither digest, size, index nor path of the answer', () => {
  expect(paperFinding(hex(digests[2]!), answer, draw)).toBe('wrong');
  expect(paperFinding(answer.digest, { ...answer, size: 6 }, draw)).toBe('wrong');
  expect(paperFinding(answer.digest, { ...answer, index: 2 }, draw)).toBe('wrong');
  expect(paperFinding(answer.digest, { ...answer, path: [] }, draw)).toBe('wrong');
  expect(paperFinding(answer.digest, answer, { ...draw, ticketRoot: hex(digests[0]!) })).toBe('wrong');
});

it('is undecided while betting is open', () => {
  expect(paperFinding(answer.digest, { ...answer, index: null, size: null, path: null }, draw)).toBe('open');
  expect(paperFinding(answer.digest, answer, { ticketRoot: null, tickets: null })).toBe('open');
});
