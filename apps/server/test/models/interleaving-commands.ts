import fc from 'fast-check';
import type { LimitName } from '@drawhouse/contract/games/limits';

export const POOR = 2;
export const RETAILER_OF: readonly number[] = [0, 0, 1];
/** Win per unit before booster. Source: domain, section 3. */
export const PAY = 9n;

export interface Target {
  readonly role: 'user' | 'retailer';
  readonly at: number;
}

export type Command =
  | {
      readonly do: 'bet';
      readonly server: number;
      readonly player: number;
      /** Units by number. For the poor player, `share` percent of its credit on the first number. */
      readonly lines: readonly (readonly [digit: number, qty: number])[];
      readonly share: number;
      readonly named: boolean;
      readonly twice: boolean;
    }
  | { readonly do: 'tick'; readonly server: number; readonly until: 'now' | 'close' | 'draw' }
  | { readonly do: 'declare'; readonly server: number; readonly digit: number; readonly booster: number }
  | { readonly do: 'generate' | 'void'; readonly server: number }
  | { readonly do: 'toggle'; readonly server: number; readonly target: Target; readonly active: boolean }
  | { readonly do: 'limit'; readonly server: number; readonly name: LimitName; readonly points: number | null };

const server = fc.nat({ max: 1 });
const digit = fc.nat({ max: 3 });
const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), at: fc.nat({ max: RETAILER_OF.length - 1 }) }),
  fc.record({ role: fc.constant('retailer' as const), at: fc.nat({ max: 1 }) }),
);
const points = fc.option(fc.integer({ min: 1, max: 25 }), { nil: null, freq: 4 });

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('bet' as const),
      server,
      player: fc.nat({ max: RETAILER_OF.length - 1 }),
      lines: fc.uniqueArray(fc.tuple(digit, fc.integer({ min: 1, max: 12 })), {
        minLength: 1,
        maxLength: 2,
        selector: ([number]) => number,
      }),
      share: fc.constantFrom(30, 60, 100),
      named: fc.boolean(),
      twice: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      server,
      until: fc.constantFrom('now' as const, 'close' as const, 'draw' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('declare' as const),
      server,
      digit,
      booster: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('generate' as const, 'void' as const), server }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('toggle' as const),
      server,
      target,
      active: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      server,
      name: fc.constantFrom('perNumber' as const, 'perTicket' as const, 'perPlayer' as const),
      points,
    }),
  },
);

/** In points. Ticket limits never exceed player limits. */
export const anyLimits: fc.Arbitrary<Record<LimitName, number | null>> = fc
  .record({
    perNumber: fc.option(fc.integer({ min: 5, max: 30 }), { nil: null, freq: 2 }),
    perTicket: fc.option(fc.integer({ min: 5, max: 30 }), { nil: null, freq: 2 }),
    perPlayer: fc.option(fc.integer({ min: 5, max: 40 }), { nil: null, freq: 2 }),
  })
  .map((limits) => {
    const { perTicket, perPlayer } = limits;
    return perTicket === null || perPlayer === null ? limits : { ...limits, perTicket: Math.min(perTicket, perPlayer) };
  });
