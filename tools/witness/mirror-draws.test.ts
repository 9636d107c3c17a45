import { describe, expect, it } from 'vitest';
import { judgeChange } from './mirror-draws.ts';
import { NetworkRecords } from './mirror-network.ts';
import type { SealedRow } from './sealed-entry.ts';

const row = (more: SealedRow = {}): SealedRow => ({
  id: 'd',
  game_id: 'g',
  terms_id: 't',
  commitment: String.raw`\x01`,
  status: 'drawn',
  ticket_count: '0',
  result: '{"value":1}',
  booster: '1',
  source: 'declared',
  ...more,
});

describe('a draw that was sealed', () => {
  it.each<[string, SealedRow, SealedRow]>([
    ['its result', {}, { status: 'settled', result: '{"value":2}' }],
    ['its booster', {}, { booster: '3' }],
    ['its source', {}, { source: 'generated' }],
    ['its result', {}, { result: null }],
    ['it was drawn and is closed', {}, { status: 'closed', result: '{"value":1}' }],
    ['it was settled and is void', { status: 'settled' }, { status: 'void' }],
    ['it was void and is settled', { status: 'void' }, { status: 'settled' }],
  ])('keeps what it came to and goes forward alone: %s', (says, before, after) => {
    expect(judgeChange(row(before), row(after))).toEqual([expect.stringContaining(says)]);
  });

  it('is void without what it had come to, and may leave states out', () => {
    const none = { result: null, booster: null, source: null };
    expect(judgeChange(row(), row({ status: 'void', ...none }))).toEqual([]);
    expect(judgeChange(row({ status: 'open', ...none }), row({ status: 'settled' }))).toEqual([]);
  });

  it('is not changed after it was finished', () => {
    const network = new NetworkRecords({ games: new Map(), terms: new Map(), accounts: new Map() }, 0);
    const look = (more: SealedRow): readonly string[] => {
      network.keep('draws', row(more));
      return network.endLook(0);
    };
    expect(look({ status: 'settled' })).toEqual([]);
    expect(look({ status: 'settled', tickets_cleared: 't' })).toEqual([]);
    expect(look({ status: 'settled', result: '{"value":2}' })).toEqual([
      'draw d: what it was drawn from, or what it came to, was changed after it was finished.',
    ]);
  });
});
