import * as z from 'zod/mini';
import { id, points, requiredText, success, amountOf, done } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

export const gamePair = { gameId: requiredText(CORE_TEXTS.gameMissing, 64), adminId: id };

export const RESULT_MODES = ['open', 'two-person', 'generated'] as const;
/** `outside`: a public lottery decides, by the schedule. */
export const DRAW_MODES = [...RESULT_MODES, 'outside'] as const;

/** In points. Null: unlimited. */
export const limits = z.object({
  /** One bet of one draw, all players together. */
  perNumber: z.nullable(points),
  perTicket: z.nullable(points),
  /** One player on one draw. */
  perPlayer: z.nullable(points),
});
export type Limits = z.infer<typeof limits>;

const livePair = z.object({
  adminId: id,
  username: z.string(),
  testNetwork: z.boolean(),
  gameId: z.string(),
  gameName: z.string(),
});
export type LivePair = z.infer<typeof livePair>;

export const livePairs = route({
  method: 'GET',
  path: 'live/pairs',
  summary: 'Lists the live panels that the caller may open: the game and admin pairs, by game and admin.',
  access: ['superadmin', 'admin'],
  permission: 'panels',
  response: z.object({ ...success, data: z.array(livePair) }),
});

const toAdd = amountOf({
  missing: GAME_FIELD_TEXTS.wrongBalance,
  notNumber: GAME_FIELD_TEXTS.wrongBalance,
  notAboveZero: GAME_FIELD_TEXTS.wrongBalance,
});

export const addBalance = route({
  method: 'POST',
  path: 'live/addbalance',
  summary: "Adds to the game balance from the admin's credit, or moves it all back.",
  access: ['superadmin', 'admin'],
  permission: 'adjustments',
  approval: ['credit'],
  sensitive: 'spec',
  body: z
    .object({
      ...gamePair,
      balance: z.optional(z.number({ error: GAME_FIELD_TEXTS.wrongBalance })),
      type: z._default(z.enum(['add', 'remove'], { error: GAME_FIELD_TEXTS.wrongType }), 'add'),
    })
    .check(({ value: { balance, type }, issues }) => {
      const wrong = type === 'add' && toAdd.safeParse(balance).error?.issues[0];
      if (wrong) issues.push({ code: 'custom', path: ['balance'], input: balance, message: wrong.message });
    }),
  response: z.object({ ...done.shape, gameBalance: points }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_CREDIT', 'IDEMPOTENCY_CONFLICT'],
});
