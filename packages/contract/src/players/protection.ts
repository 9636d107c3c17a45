import * as z from 'zod/mini';
import { bulkAnswer, bulkIds } from '../accounts/bulk-accounts.ts';
import {
  BULK_BODY_BYTES,
  exactPoints,
  id,
  points,
  STAFF_ROLES,
  success,
  time,
  wholeNumber,
} from '../core/primitives.ts';
import { route, type RouteAnswer } from '../core/route.ts';
import { BREAKS, EXCLUSIONS, PROTECTION_LIMITS, type ProtectionLimit } from './player-limits.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { PLAYER_FIELD_TEXTS } from './player-texts.ts';

const limitName = z.enum(Object.keys(PROTECTION_LIMITS) as [ProtectionLimit, ...ProtectionLimit[]], {
  error: CORE_TEXTS.oneOf('A limit', Object.keys(PROTECTION_LIMITS)),
});
const limitValue = z.nullable(exactPoints(PLAYER_FIELD_TEXTS.wrongLimit, (value) => value > 0));
const reason = z.optional(
  z
    .string({ error: PLAYER_FIELD_TEXTS.reasonNotText })
    .check(z.trim(), z.maxLength(200, { error: CORE_TEXTS.tooLong(200) })),
);

const side = z.enum(['player', 'manager']);

/** In points; `minutesPerDay` in minutes. Null: unlimited. */
export const shownLimit = z.object({
  limit: limitName,
  /** The lower of the next two. */
  value: z.nullable(z.number()),
  own: z.nullable(z.number()),
  managers: z.nullable(z.number()),
  setBy: z.nullable(side),
  /** Requested looser limit. Takes effect after `from`, once confirmed. */
  pending: z.nullable(z.object({ value: z.nullable(z.number()), askedAt: time, from: time })),
  /** Open stakes count, also as losses. Negative: won more than lost. Null for per-draw limits. */
  used: z.nullable(z.number()),
  /** Never negative. Null if unlimited or per draw. */
  left: z.nullable(z.number()),
});
export type ShownLimit = z.infer<typeof shownLimit>;

export const protection = z.object({
  serverTime: time,
  /** Weeks start on Sunday. */
  timeZone: z.string(),
  limits: z.array(shownLimit),
  breakUntil: z.nullable(time),
  excludedUntil: z.nullable(time),
  /** Managers can end the exclusion until then. Null: own exclusion, or older than 24 hours. */
  exclusionEndableUntil: z.nullable(time),
  today: z.object({ staked: points, won: points, open: points, minutes: z.number() }),
});
export type ShownProtection = z.infer<typeof protection>;

export const protectionEntry = z.object({
  at: time,
  what: z.enum(['break', 'exclusion', ...(Object.keys(PROTECTION_LIMITS) as ProtectionLimit[])]),
  side,
  step: z.enum(['set', 'asked', 'confirmed', 'withdrawn']),
  /** Effective time; for requests, the earliest confirmation. */
  from: time,
  /** Limits only, in points or minutes. */
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
  z.enum(lengths, { error: CORE_TEXTS.oneOf('It', lengths) });

export const ownProtection = route({
  method: 'GET',
  path: 'app/protection',
  summary: "The player's limits with the use of each, pending changes, and the current break.",
  access: ['user'],
  response: answer,
});
export type OwnProtection = RouteAnswer<typeof ownProtection>;

export const ownProtectionHistory = route({
  method: 'GET',
  path: 'app/protection/history',
  summary: "Every change of the player's limits, breaks and exclusions, newest first.",
  access: ['user'],
  query: z.object(page),
  response: historyAnswer,
});

export const setOwnLimit = route({
  method: 'PUT',
  path: 'app/protection/limits/:limit',
  summary:
    "Sets a limit of the player's own: a stricter one applies at once; a looser one, or none, after 24 hours and a confirmation.",
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
  summary: 'Confirms a looser limit, 24 hours after it was requested. It then applies.',
  access: ['user'],
  sensitive: 'elevation',
  params: { limit: limitName },
  response: changed,
  errors: ['ON_BREAK', 'RULE_REFUSED'],
});

export const withdrawOwnLimit = route({
  method: 'POST',
  path: 'app/protection/limits/:limit/withdraw',
  summary: 'Withdraws a looser limit that was requested and not confirmed.',
  access: ['user'],
  sensitive: false,
  params: { limit: limitName },
  response: changed,
  errors: ['ON_BREAK', 'RULE_REFUSED'],
});

export const takeBreak = route({
  method: 'POST',
  path: 'app/protection/break',
  summary:
    'Takes a break. Until it ends, bets and limit changes are refused; signing in, viewing and claiming still work.',
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
    'Excludes the player: all sessions end, and sign-in is refused until the exclusion ends. Unclaimed wins are ' +
    'claimed, now and as open tickets win. Nobody can undo it.',
  access: ['user'],
  sensitive: 'elevation',
  body: z.object({ length: lengthOf(EXCLUSIONS) }),
  response: z.object({ ...success, message: z.string(), excludedUntil: time }),
  errors: ['RULE_REFUSED'],
});

export const playerProtection = route({
  method: 'GET',
  path: 'players/:playerId/protection',
  summary: 'Returns the limits of a player below the caller with their use, and any break or exclusion.',
  access: STAFF_ROLES,
  permission: 'lists',
  params: { playerId: id },
  response: answer,
  errors: ['NOT_FOUND'],
});

export const playerProtectionHistory = route({
  method: 'GET',
  path: 'players/:playerId/protection/history',
  summary: 'Every change of the limits, breaks and exclusions of a player below the caller, newest first.',
  access: STAFF_ROLES,
  permission: 'lists',
  params: { playerId: id },
  query: z.object(page),
  response: historyAnswer,
  errors: ['NOT_FOUND'],
});

export const setPlayerLimit = route({
  method: 'PUT',
  path: 'players/:playerId/protection/limits/:limit',
  summary:
    "Sets a manager's limit for a player below the caller. The lower of it and the player’s own applies. Only the " +
    'manager who set it, or one above, can loosen it.',
  access: STAFF_ROLES,
  permission: 'accounts',
  sensitive: 'elevation',
  params: { playerId: id, limit: limitName },
  body: z.object({ value: limitValue, reason }),
  response: changed,
  errors: ['NOT_FOUND', 'RULE_REFUSED', 'ON_BREAK'],
});

export const bulkPlayerLimit = route({
  method: 'POST',
  path: 'players/bulk-limit',
  summary: "Sets the managers' limit of up to 500 players below the caller, or removes it: all or nothing.",
  access: STAFF_ROLES,
  permission: 'accounts',
  sensitive: 'elevation',
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({ ids: bulkIds, limit: limitName, value: limitValue, reason }),
  response: bulkAnswer,
  errors: ['NOT_FOUND', 'RULE_REFUSED', 'ON_BREAK'],
});

export const excludePlayer = route({
  method: 'POST',
  path: 'players/:playerId/protection/exclusion',
  summary:
    'Excludes a player below the caller: its sessions end, and sign-in is refused until the exclusion ends. Unclaimed wins ' +
    'are claimed, now and as its open tickets win. Managers can end it within 24 hours.',
  access: STAFF_ROLES,
  permission: 'accounts',
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
    'Ends an exclusion that a manager started less than 24 hours ago. Only the manager who started it, or one above, ' +
    'can end it. A player’s own exclusion is final.',
  access: STAFF_ROLES,
  permission: 'accounts',
  sensitive: 'elevation',
  params: { playerId: id },
  body: z.object({ reason }),
  response: changed,
  errors: ['NOT_FOUND', 'RULE_REFUSED'],
});
