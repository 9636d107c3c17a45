import * as z from 'zod/mini';
import { gamePair } from './game-pair.ts';
import { amountOf, done, points } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** docs/spec/game-operations.md §5. */
export const INVALID_BALANCE = 'Please enter a valid balance greater than 0.';

const toAdd = amountOf({ missing: INVALID_BALANCE, notNumber: INVALID_BALANCE, notAboveZero: INVALID_BALANCE });

export const addBalance = route({
  method: 'POST',
  path: 'live/addbalance',
  summary: "Adds to the game balance from the admin's credit, or moves it all back.",
  access: ['superadmin', 'admin'],
  sensitive: 'spec',
  body: z
    .object({
      ...gamePair,
      balance: z.optional(z.number({ error: INVALID_BALANCE })),
      type: z._default(z.enum(['add', 'remove'], { error: 'The type must be add or remove' }), 'add'),
    })
    .check(({ value: { balance, type }, issues }) => {
      const wrong = type === 'add' && toAdd.safeParse(balance).error?.issues[0];
      if (wrong) issues.push({ code: 'custom', path: ['balance'], input: balance, message: wrong.message });
    }),
  response: z.object({ ...done.shape, gameBalance: points }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_CREDIT', 'RULE_REFUSED', 'IDEMPOTENCY_CONFLICT'],
});
