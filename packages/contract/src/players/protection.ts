import * as z from 'zod/mini';
import { hundredthsOf, id, points, STAFF_ROLES, success, time, wholeNumber } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import type { RouteAnswer } from '../frame/route.ts';
import { BREAKS, EXCLUSIONS, PROTECTION_LIMITS } from './protection-names.ts';
import type { ProtectionLimit } from './protection-names.ts';

const limitName = z.enum(Object.keys(PROTECTION_LIMITS) as [ProtectionLimit, ...ProtectionLimit[]], {
  error: `A limit is one of ${Object.keys(PROTECTION_LIMITS).join(', ')}`,
});
const WRONG_VALUE =
  'Write points above 0 with at most 2 decimals, such as 500, for minutes a whole number, or null for no limit';
const limitValue = z.nullable(
  z.number({ error: WRONG_VALUE }).check(z.refine((value) => (hundredthsOf(value) ?? 0n) > 0n, { error: WRONG_VALUE })),
);
const reason = z.optional(
  z
    .string({ error: 'Write the reason as a text' })
    .check(z.trim(), z.maxLength(200, { error: 'Use at most 200 characters' })),
);

const side = z.enum(['player', 'manager']);

/** In points; `minutesPerDay` in minutes. Null: unlimited. */
export const shownLimit = z.object({
  limit: limitName,
  /** Effective limit: the lower of the next two. */
  value: z.nullable(z.number()),
  own: z.nullable(z.number()),
  managers: z.nullable(z.number()),
  setBy: z.nullable(side),
  /** Requested looser limit. Takes effect after `from`, once confirmed. */
  pending: z.nullable(z.object({ value: z.nullable(z.number()), askedAt: time, from: time })),
  /** Used so far; open stakes count, also as losses. Negative: won more than lost. Null for per-draw limits. */
  used: z.nullable(z.number()),
  /** Never negative. Null if unlimited or per draw. */
  left: z.nullable(z.number()),
});
export type ShownLimit = z.infer<typeof shownLimit>;

export const protection = z.object({
  serverTime: time,
  /** Zone for limit days. Weeks start on Sunday. */
  timeZone: z.string(),
  limits: z.array(shownLimit),
  breakUntil: z.nullable(time),
  excludedUntil: z.nullable(time),
  /** Deadline for managers to end the exclusion. Null if they cannot: own exclusion, or older than 24 hours. */
  exclusionEndableUntil: z.nullable(time),
  today: z.object({ staked: points, won: points, open: points, minutes: z.number() }),
});
export type ShownProtection = z.infer<typeof protection>;

export const protectionEntry = z.object({
  at: time,
  what: z.enum(['break', 'exclusion', ...(Object.keys(PROTECTION_LIMITS) as ProtectionLimit[])]),
  side,
  step: z.enum(['set', 'asked', 'confirmed', 'withdrawn']),
  /** Effective time; for requests, earliest confirmation. */
  from: time,
  /** Limits only, in points or minutes. Null: unlimited. */
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
  until: z.nullable(time),
  length: z.nullable(z.string()),
  /** Players see only that a manager acted. */
  by: z.string(),
  reason: z.string(),
});
export type ProtectionEntry = z.infer<typeof protectionEntry>;

const answer = z.object({ ...success, data: protection });
const changed = z.object({ ...success, message: z.string(), data: protection });
const page = { page: z.optional(wholeNumber(1, 1_000_000)), pageSize: z.optional(wholeNumber(1, 500)) };
const historyAnswer = z.object({ ...success, data: z.array(protectionEntry), total: z.number() });
const lengthOf = <const T extends readonly [string, ...string[]]>(lengths: T) =>
  z.enum(lengths, { error: `Write one of ${lengths.join(', ')}` });

export const ownProtection = route({
  method: 'GET',
  path: 'app/protection',
  summary: 'The own limits with what is used of each, what is pending, and the break that holds.',
  access: ['user'],
  response: answer,
});
export type OwnProtection = RouteAnswer<typeof ownProtection>;

export const ownProtectionHistory = route({
  method: 'GET',
  path: 'app/protection/history',
  summary: 'Every change of the own limits, breaks and exclusions, newest first.',
  access: ['user'],
  query: z.object(page),
  response: historyAnswer,
});

export const setOwnLimit = route({
  method: 'PUT',
  path: 'app/protection/limits/:limit',
  summary: 'Sets an own limit: a stricter one holds at once; a looser one, or none, after 24 hours and once confirmed.',
  access: ['user'],
  sensitive: false,
  params: { limit: limitName },
  body: z.object({ value: limitValue }),
  response: changed,
  errors: ['ON_BREAK'],
});

export const confirmOwnLimit = route({
  method: 'POST',
  path: 'app/protection/limits/:limit/confirm',
  summary: 'Confirms a looser limit, 24 hours after it was asked for: it then holds.',
  access: ['user'],
  sensitive: 'elevation',
  params: { limit: limitName },
  response: changed,
  errors: ['ON_BREAK', 'RULE_REFUSED'],
});

export const withdrawOwnLimit = route({
  method: 'POST',
  path: 'app/protection/limits/:limit/withdraw',
  summary: 'Withdraws a looser limit that was asked for and not confirmed.',
  access: ['user'],
  sensitive: false,
  params: { limit: limitName },
  response: changed,
  errors: ['ON_BREAK', 'RULE_REFUSED'],
});

export const takeBreak = route({
  method: 'POST',
  path: 'app/protection/break',
  summary: 'Takes a break: until it ends no bet is taken and no limit changed; signing in, seeing and claiming stay.',
  access: ['user'],
  sensitive: false,
  body: z.object({ length: lengthOf(BREAKS) }),
  response: changed,
  errors: ['ON_BREAK'],
});

export const excludeOneself = route({
  method: 'POST',
  path: 'app/protection/exclusion',
  summary:
    'Excludes oneself: all sessions end, and signing in is refused until the exclusion is over. Whatever waits is claimed, now and as open tickets win. Nobody can undo it.',
  access: ['user'],
  sensitive: 'elevation',
  body: z.object({ length: lengthOf(EXCLUSIONS) }),
  response: z.object({ ...success, message: z.string(), excludedUntil: time }),
  errors: ['RULE_REFUSED'],
});

export const playerProtection = route({
  method: 'GET',
  path: 'players/:playerId/protection',
  summary: 'The limits of a player below the caller with what is used of each, its break and its exclusion.',
  access: STAFF_ROLES,
  params: { playerId: id },
  response: answer,
  errors: ['NOT_FOUND'],
});

export const playerProtectionHistory = route({
  method: 'GET',
  path: 'players/:playerId/protection/history',
  summary: 'Every change of the limits, breaks and exclusions of a player below the caller, newest first.',
  access: STAFF_ROLES,
  params: { playerId: id },
  query: z.object(page),
  response: historyAnswer,
  errors: ['NOT_FOUND'],
});

export const setPlayerLimit = route({
  method: 'PUT',
  path: 'players/:playerId/protection/limits/:limit',
  summary:
    'Sets a limit of a player below the caller, beside the player’s own: of both the lower holds. Who loosens it must be the one who set it, or above.',
  access: STAFF_ROLES,
  sensitive: 'elevation',
  params: { playerId: id, limit: limitName },
  body: z.object({ value: limitValue, reason }),
  response: changed,
  errors: ['NOT_FOUND', 'RULE_REFUSED', 'ON_BREAK'],
});

export const excludePlayer = route({
  method: 'POST',
  path: 'players/:playerId/protection/exclusion',
  summary:
    'Excludes a player below the caller: its sessions end, and signing in is refused until it is over. Whatever waits for it is claimed, now and as its open tickets win. Managers can end it within 24 hours.',
  access: STAFF_ROLES,
  sensitive: 'elevation',
  params: { playerId: id },
  body: z.object({ length: lengthOf(EXCLUSIONS), reason }),
  response: changed,
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});

export const endPlayerExclusion = route({
  method: 'POST',
  path: 'players/:playerId/protection/exclusion/end',
  summary:
    'Ends an exclusion that a manager began less than 24 hours ago. Who ends it must be the one who began it, or above. A player’s own exclusion is final.',
  access: STAFF_ROLES,
  sensitive: 'elevation',
  params: { playerId: id },
  body: z.object({ reason }),
  response: changed,
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
