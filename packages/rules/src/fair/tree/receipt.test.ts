import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticketDigest } from '../fair.ts';
import { inclusionPath, treeRoot } from './merkle.ts';
import { examineReceipt, readDigests, readReceipt, type SealedTickets, type TicketReceipt } from './receipt.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const idOf = (ticket: number): string => `01a1f0c2-5d3e-7000-8000-${String(ticket).padStart(12, '0')}`;
const drawId = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

function sealed(size: number, index: number): { receipt: TicketReceipt; draw: SealedTickets } {
  const lines = (ticket: number) => [{ key: String(ticket % 10), qty: ticket + 1 }];
  const stake = (ticket: number) => BigInt(ticket + 1) * 100n;
  const digests = Array.from({ length: size }, (_, ticket) =>
    ticketDigest({ ticketId: idOf(ticket), drawId, lines: lines(ticket), stake: stake(ticket) }),
  );
  return {
    receipt: {
      _id: idOf(index),
      drawId,
      stake: String(stake(index)),
      lines: lines(index).map(({ key, qty }) => [key, qty]),
      digest: hex(digests[index]!),
      index,
      size,
      path: inclusionPath(digests, index).map(hex),
    },
    draw: { drawId, ticketRoot: hex(treeRoot(digests)), tickets: size },
  };
}

const { receipt, draw } = sealed(11, 6);
const of = (changed: object, changedDraw: object = {}) => {
  const { outcome, problems } = examineReceipt(readReceipt({ ...receipt, ...changed }), { ...draw, ...changedDraw });
  return { outcome, problems };
};
const none = { index: null, size: null, path: null };

describe('a receipt', () => {
  it('proves any ticket of any draw', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1))),
        ([size, index]) => {
          const one = sealed(size, index);
          const { outcome, problems, root, digest } = examineReceipt(readReceipt(one.receipt), one.draw);
          expect({ outcome, problems }).toEqual({ outcome: 'in', problems: [] });
          expect([root, digest.ok]).toEqual([one.draw.ticketRoot, true]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('fails after any change', () => {
    const zeros = '0'.repeat(64);
    const changes: [object, RegExp][] = [
      [{ stake: '701' }, /digest does not match/],
      [{ lines: [['7', 7]] }, /digest does not match/],
      [{ lines: [] }, /digest does not match/],
      [{ _id: idOf(7) }, /digest does not match/],
      [{ digest: zeros }, /digest does not match/],
      [{ drawId: idOf(1) }, /to another draw/],
      [{ index: 5 }, /does not lead to the root/],
      [{ size: 12 }, /has 12 tickets; it closed with 11/],
      [{ index: 10 }, /has no path of that length|does not lead/],
      [{ index: 11 }, /Ticket 12 of 11 has no path/],
      [{ path: [] }, /Ticket 7 of 11 has no path of that length/],
      [{ path: receipt.path!.with(1, zeros) }, /does not lead to the root/],
      [{ path: receipt.path!.toReversed() }, /does not lead to the root/],
    ];
    for (const [changed, problem] of changes) {
      const found = of(changed);
      expect([changed, found.outcome]).toEqual([changed, 'wrong']);
      expect(found.problems.join(' ')).toMatch(problem);
    }
    expect(of({}, { ticketRoot: zeros }).outcome).toBe('wrong');
    expect(of({}, { tickets: 12 }).outcome).toBe('wrong');
    expect(of({ root: zeros }).outcome).toBe('in');
  });

  it('reports what cannot be checked yet, but checks the digest', () => {
    const open = { ticketRoot: null, tickets: null };
    expect(of(none, open).outcome).toBe('open');
    expect(of(none).outcome).toBe('early');
    for (const draws of [open, {}]) expect(of({ ...none, stake: '1' }, draws).outcome).toBe('wrong');
  });

  it('is read in either letter case and refused with a sentence if malformed', () => {
    const upper = { digest: receipt.digest.toUpperCase(), path: receipt.path!.map((node) => node.toUpperCase()) };
    expect(of(upper, { ticketRoot: draw.ticketRoot!.toUpperCase() }).outcome).toBe('in');
    const wrong: [unknown, RegExp][] = [
      [null, /is what \/api\/fair\/ticket/],
      ['text', /is what \/api\/fair\/ticket/],
      [{}, /has the ids/],
      [{ ...receipt, stake: 7 }, /^stake is/],
      [{ ...receipt, stake: '7.5' }, /^stake is/],
      [{ ...receipt, lines: [['7']] }, /^lines is/],
      [{ ...receipt, lines: [['7', 0.5]] }, /^lines is/],
      [{ ...receipt, digest: 'x' }, /^digest is/],
      [{ ...receipt, index: '1' }, /^index and size/],
      [{ ...receipt, path: null }, /^path is/],
      [{ ...receipt, path: Array(65).fill('0'.repeat(64)) }, /^path is/],
      [{ ...receipt, path: ['0'] }, /^path is/],
    ];
    for (const [json, sentence] of wrong) expect(() => readReceipt(json)).toThrow(sentence);
    expect(() => readReceipt({ ...receipt, digest: undefined })).toThrow(RangeError);
  });
});

describe("a draw's digests", () => {
  it('are read from a list and refused if one is malformed', () => {
    expect(readDigests([receipt.digest]).map(hex)).toEqual([receipt.digest]);
    expect(() => readDigests([receipt.digest, 'x'])).toThrow('Digest 2 is not 64 hex digits.');
    expect(() => readDigests({})).toThrow('a list');
  });
});
