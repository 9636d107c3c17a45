import { describe, expect, it } from 'vitest';
import { forbiddenChange } from './changed-rows.ts';

const NONE = String.raw`\N`;

const OPEN = {
  game_id: 'g',
  terms_id: 't',
  opens_at: '1',
  closes_at: '2',
  draws_at: '3',
  commitment: 'c',
  status: 'open',
  closed_at: NONE,
  ticket_count: NONE,
  ticket_root: NONE,
  saved_at: NONE,
  saved_by: NONE,
  saved_result: NONE,
  source: NONE,
  result: NONE,
  result_label: NONE,
  booster: NONE,
  seed: NONE,
  finished_at: NONE,
  void_cause: NONE,
  tickets_cleared: 'f',
  beacon_signatures: '{NULL,NULL}',
  root_sealed_at: NONE,
};
const SAVED = { ...OPEN, saved_at: '1', saved_by: 'somebody', saved_result: '4' };
const CLOSED = { ...SAVED, status: 'closed', closed_at: '2', ticket_count: '1', ticket_root: 'r' };
const DRAWN = { ...CLOSED, status: 'drawn', source: 'declared', result: '4', result_label: '4', booster: '1' };
const SETTLED = { ...DRAWN, status: 'settled', seed: 's', finished_at: '3' };
const OUTSIDE = { ...SETTLED, outside: 'National 19:00' };
const VOID = { ...CLOSED, status: 'void', finished_at: '3', void_cause: 'by hand' };

describe('a draw', () => {
  it.each([
    ['goes on from state to state', OPEN, CLOSED],
    ['has what is declared replaced until it is drawn', SAVED, { ...CLOSED, saved_by: 'another', saved_result: '5' }],
    ['is drawn', CLOSED, DRAWN],
    ['is settled in pieces', DRAWN, { ...DRAWN, status: 'settling' }],
    ['is settled, with its seed', DRAWN, SETTLED],
    ['is void before it is drawn', OPEN, { ...VOID, closed_at: '2' }],
    ['is void after it was drawn, and has no result any more', DRAWN, VOID],
    [
      'has what was declared cleared, once it has ended',
      SETTLED,
      { ...SETTLED, saved_at: NONE, saved_by: NONE, saved_result: NONE },
    ],
    ['has its close seen in the seals', CLOSED, { ...CLOSED, root_sealed_at: '3' }],
    ['gets a value of a beacon once it has closed', CLOSED, { ...CLOSED, beacon_signatures: '{NULL,"x"}' }],
    ['gets the values of its beacons once it is void', VOID, { ...VOID, beacon_signatures: '{"y","x"}' }],
    ['has its tickets cleared', SETTLED, { ...SETTLED, tickets_cleared: 't' }],
    ['has its outside result corrected', OUTSIDE, { ...OUTSIDE, result: '5', result_label: '5' }],
  ])('%s', (_what, before, after) => expect(forbiddenChange('draws', before, after)).toBeUndefined());

  it.each<[what: string, column: string, before: Record<string, string>, after: Record<string, string>]>([
    ['opens at another time', 'opens_at', OPEN, { ...OPEN, opens_at: '0' }],
    ['has another commitment', 'commitment', OPEN, { ...CLOSED, commitment: 'd' }],
    ['closes at another time', 'closed_at', CLOSED, { ...CLOSED, closed_at: '1' }],
    ['has other tickets once it has closed', 'ticket_root', CLOSED, { ...DRAWN, ticket_root: 'q' }],
    ['opens again', 'status', CLOSED, { ...CLOSED, status: 'open' }],
    ['is drawn again', 'status', SETTLED, { ...SETTLED, status: 'drawn' }],
    ['has another result', 'result', DRAWN, { ...DRAWN, result: '5' }],
    ['is said to be generated', 'source', DRAWN, { ...SETTLED, source: 'generated' }],
    ['is settled otherwise than it was drawn', 'booster', DRAWN, { ...SETTLED, booster: '2' }],
    ['has another seed', 'seed', { ...DRAWN, seed: 's' }, { ...DRAWN, seed: 'q' }],
    ['is void once it was settled', 'status', SETTLED, { ...SETTLED, status: 'void' }],
    ['has another cause to be void', 'void_cause', VOID, { ...VOID, void_cause: 'none' }],
    ['has a result once it was void', 'result', VOID, { ...VOID, result: '4' }],
    ['was declared by another one, once it is drawn', 'saved_by', DRAWN, { ...DRAWN, saved_by: 'another' }],
    [
      'has another value of a beacon',
      'beacon_signatures',
      { ...DRAWN, beacon_signatures: '{NULL,"x"}' },
      { ...DRAWN, beacon_signatures: '{"y","z"}' },
    ],
    [
      'closes together with a value of a beacon',
      'beacon_signatures',
      OPEN,
      { ...CLOSED, beacon_signatures: '{NULL,"x"}' },
    ],
    [
      'is said to have been sealed at another time',
      'root_sealed_at',
      { ...CLOSED, root_sealed_at: '3' },
      { ...DRAWN, root_sealed_at: '2' },
    ],
    ['is said to be sealed before it has closed', 'root_sealed_at', OPEN, { ...CLOSED, root_sealed_at: '3' }],
    [
      'has fewer values of beacons',
      'beacon_signatures',
      { ...DRAWN, beacon_signatures: '{NULL,NULL}' },
      { ...DRAWN, beacon_signatures: '{"y"}' },
    ],
    ['has another result once it is settled', 'result', SETTLED, { ...SETTLED, result: '5' }],
    ['is corrected before it is settled', 'result', { ...OUTSIDE, status: 'drawn' }, { ...OUTSIDE, result: '5' }],
    ['has another booster once it is corrected', 'booster', OUTSIDE, { ...OUTSIDE, result: '5', booster: '2' }],
    ['has tickets again', 'tickets_cleared', { ...SETTLED, tickets_cleared: 't' }, SETTLED],
  ])('never %s', (_what, column, before, after) => expect(forbiddenChange('draws', before, after)).toBe(column));
});

it('ignores the log and the audit', () => {
  expect(forbiddenChange('accounts', { active: 't' }, { active: 'f' })).toBeUndefined();
  expect(forbiddenChange('liability_days', { tables: '1' }, { tables: '2' })).toBeUndefined();
});
