import * as z from 'zod/mini';
import { account, newPassword, username } from '../accounts/accounts.ts';
import { amount, done, id, ownPassword, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CORE_TEXTS, FIRST_STEPS_FIELD_TEXTS } from '../core/field-texts.ts';

const chainNames = z.object({
  admin: username,
  superdistributor: username,
  distributor: username,
  retailer: username,
  user: username,
});

/** `password` is the caller's own. */
export const makeChain = route({
  method: 'POST',
  path: 'firststeps/chain',
  summary:
    'Creates an admin with games and one account of each level below it, and gives credit to the admin and the player: all or nothing.',
  access: ['superadmin'],
  permission: 'settings',
  approval: ['credit'],
  sensitive: 'asks',
  body: z.object({
    usernames: chainNames,
    accountPassword: newPassword,
    games: z
      .array(z.string(), { error: CORE_TEXTS.noGames })
      .check(
        z.minLength(1, { error: FIRST_STEPS_FIELD_TEXTS.fewGames }),
        z.maxLength(500, { error: CORE_TEXTS.tooManyGames(500) }),
      ),
    adminCredit: amount,
    playerCredit: amount,
    testNetwork: z.boolean({ error: CORE_TEXTS.trueOrFalse }),
    password: ownPassword,
  }),
  bodyLimit: 32 * 1024,
  status: 201,
  response: z.object({ ...done.shape, data: z.array(account) }),
  errors: ['USERNAME_TAKEN', 'WRONG_PASSWORD', 'INSUFFICIENT_CREDIT', 'DAILY_LIMIT', 'IDEMPOTENCY_CONFLICT'],
});

export const SIMULATED_MINUTES = 60;

export const simulatePlayers = route({
  method: 'PUT',
  path: 'firststeps/simulation/:adminId',
  summary:
    `Starts or stops simulated players in a test network: for ${SIMULATED_MINUTES} minutes the server bets for ` +
    'players who have credit and are not online.',
  access: ['superadmin'],
  permission: 'settings',
  sensitive: 'elevation',
  params: { adminId: id },
  body: z.object({ running: z.boolean({ error: CORE_TEXTS.trueOrFalse }) }),
  response: z.object({ ...done.shape, simulatedUntil: z.nullable(time) }),
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
