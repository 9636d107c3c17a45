import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainBet, plainBets } from './read-plain-bets.ts';

const odd = fc.constantFrom(
  undefined,
  null,
  '',
  ' ',
  7,
  0,
  -1,
  1.5,
  1e9,
  NaN,
  'x'.repeat(65),
  'é',
  'a b',
  [],
  {},
  true,
);
const or = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 90, arbitrary: usual }, odd);
const line = fc.record(
  {
    drawno: or(fc.oneof({ weight: 8, arbitrary: fc.nat({ max: 40 }) }, fc.string({ maxLength: 18 }))),
    qty: or(fc.integer({ min: 1, max: 1_000_001 })),
    head: or(fc.constantFrom('ap', 'fp', 'sp', 'h'.repeat(33))),
    series: or(fc.constantFrom('1000', '3000', '5000', 's'.repeat(33))),
    subseries: or(fc.constantFrom('1200')),
    more: fc.constant('passed over'),
  },
  { requiredKeys: ['drawno', 'qty'] },
);
const bet = fc.record(
  {
    gameId: or(fc.constantFrom('funtargetbingo', 'fruit12', '$%&/', 'jodi', 'a', 'b', ' fruit12')),
    drawId: or(
      fc.oneof(
        { weight: 8, arbitrary: fc.uuid() },
        fc.uuid({ version: 7 }).map((id) => id.toUpperCase()),
        fc.constant('no id'),
      ),
    ),
    requestId: or(fc.oneof({ weight: 8, arbitrary: fc.uuid() }, fc.string({ maxLength: 66 }))),
    player: or(fc.constantFrom('U123456', 'U7', 'U8', 'U9', 'u 1', 'U'.repeat(17))),
    lines: or(fc.array(or(line), { minLength: 1, maxLength: 3 })),
    more: fc.constant(1),
  },
  { requiredKeys: ['gameId', 'requestId', 'lines'] },
);

it('reads one or many bets like their schemas, or defers to them', () => {
  let [read, left] = [0, 0];
  const same = (
    plain: unknown,
    schema: { safeParse: (given: unknown) => { success: boolean; data?: unknown } },
    given: unknown,
  ) => {
    if (plain === undefined) left++;
    else {
      read++;
      expect(schema.safeParse(given)).toEqual({ success: true, data: plain });
    }
  };
  fc.assert(
    fc.property(or(bet), fc.oneof(or(fc.array(or(bet), { maxLength: 4 }))), (one, many) => {
      same(plainBet(one), placeBet.body!, one);
      same(plainBets({ bets: many }), placeBets.body!, { bets: many });
      same(plainBets(many), placeBets.body!, many);
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(100);
  expect(left).toBeGreaterThan(100);
});

it("defers too many bets to the schema's error", () => {
  const lines = (count: number) => Array.from({ length: count }, () => ({ drawno: '7', qty: 1 }));
  const asked = (bets: number, each: number) => ({
    bets: Array.from({ length: bets }, (_, index) => ({ gameId: 'g', requestId: `r${index}`, lines: lines(each) })),
  });
  expect(plainBets(asked(500, 4))).toEqual(asked(500, 4));
  for (const [bets, each, says] of [
    [501, 1, 'Send at most 500 tickets at once'],
    [0, 0, 'Send at least one ticket'],
    [500, 5, 'Place at most 2000 bets at once, on all tickets together'],
  ] as const) {
    expect(plainBets(asked(bets, each))).toBeUndefined();
    expect(placeBets.body!.safeParse(asked(bets, each)).error?.issues[0]).toMatchObject({
      path: ['bets'],
      message: says,
    });
  }
});
