import * as z from 'zod/mini';
import { amount, day, id, integer, points, requiredText, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { CORE_TEXTS, API_KEY_FIELD_TEXTS } from '../core/field-texts.ts';
import { KEY_PERMISSIONS } from '../core/permissions.ts';
import { route } from '../core/route.ts';

export const API_KEY_PREFIX = 'dhk_';

export const API_KEY_LIMITS = { keys: 20, addresses: 20 } as const;
const MOST_TICKETS = 10_000_000;

export const API_KEY_DAYS = 92;

const apiKeyTerms = z.object({
  name: requiredText(API_KEY_FIELD_TEXTS.nameMissing, 64),
  ticketsPerMinute: z.optional(z.nullable(integer(1, MOST_TICKETS, API_KEY_FIELD_TEXTS.wrongTickets(MOST_TICKETS)))),
  stakePerDay: z.optional(z.nullable(amount)),
  /** Staff calls that the key may make. Default: only bets. */
  permissions: z.optional(
    z
      .array(z.enum(KEY_PERMISSIONS, { error: API_KEY_FIELD_TEXTS.wrongPermission }), {
        error: API_KEY_FIELD_TEXTS.wrongPermission,
      })
      .check(z.maxLength(KEY_PERMISSIONS.length, { error: API_KEY_FIELD_TEXTS.wrongPermission })),
  ),
  /** Credit that the key may move per day, in either direction. Null: none; sensitive calls then fail. */
  creditPerDay: z.optional(z.nullable(amount)),
  expiresAt: z.optional(z.nullable(time)),
  /** IP addresses, or networks like `203.0.113.0/24`. */
  addresses: z.optional(
    z
      .array(requiredText(CORE_TEXTS.wrongAddress, 50), {
        error: API_KEY_FIELD_TEXTS.noAddresses,
      })
      .check(
        z.maxLength(API_KEY_LIMITS.addresses, {
          error: API_KEY_FIELD_TEXTS.tooManyAddresses(API_KEY_LIMITS.addresses),
        }),
      ),
  ),
});
export type ApiKeyTerms = z.infer<typeof apiKeyTerms>;

const ticketSums = z.object({ tickets: z.number(), stake: points });

export const apiKey = z.object({
  _id: id,
  name: z.string(),
  /** Last four letters. */
  ending: z.string(),
  ticketsPerMinute: z.nullable(z.number()),
  stakePerDay: z.nullable(points),
  permissions: z.array(z.enum(KEY_PERMISSIONS)),
  creditPerDay: z.nullable(points),
  creditToday: points,
  expiresAt: z.nullable(time),
  addresses: z.array(z.string()),
  madeAt: time,
  endedAt: z.nullable(time),
  lastUsedAt: z.nullable(time),
  /** Days follow the server's time zone. */
  today: ticketSums,
  total: ticketSums,
});
export type ApiKey = z.infer<typeof apiKey>;

/** A superadmin has no network in which a key could act. */
const KEY_OWNERS = STAFF_ROLES.slice(1);
const keyId = { keyId: id };

export const apiKeys = route({
  method: 'GET',
  path: 'apikeys',
  summary: "Lists the API keys of the caller's account, ended ones included, with their limits and stakes.",
  access: KEY_OWNERS,
  permission: 'keys',
  response: z.object({ ...success, data: z.array(apiKey) }),
});

export const makeApiKey = route({
  method: 'POST',
  path: 'apikeys',
  summary: "Creates an API key for the caller's account. Only this answer contains the key.",
  access: KEY_OWNERS,
  permission: 'keys',
  sensitive: 'elevation',
  body: apiKeyTerms,
  status: 201,
  response: z.object({ ...success, message: z.string(), key: z.string(), data: apiKey }),
  errors: ['RULE_REFUSED'],
});

export const changeApiKey = route({
  method: 'PUT',
  path: 'apikeys/:keyId',
  summary: 'Changes the name and limits of an API key. New limits apply from the next ticket.',
  access: KEY_OWNERS,
  permission: 'keys',
  sensitive: 'elevation',
  params: keyId,
  body: apiKeyTerms,
  response: z.object({ ...success, message: z.string(), data: apiKey }),
  errors: ['NOT_FOUND'],
});

export const endApiKey = route({
  method: 'POST',
  path: 'apikeys/:keyId/end',
  summary: "Ends an API key of the caller's account, at once and for good. An ended key stays ended.",
  access: KEY_OWNERS,
  permission: 'keys',
  sensitive: 'elevation',
  params: keyId,
  response: z.object({ ...success, message: z.string(), data: apiKey }),
  errors: ['NOT_FOUND'],
});

export const apiKeyDays = route({
  method: 'GET',
  path: 'apikeys/:keyId/days',
  summary: `Bets placed with an API key of the caller's account on each of the last ${API_KEY_DAYS} days, newest first.`,
  access: KEY_OWNERS,
  permission: 'keys',
  params: keyId,
  response: z.object({ ...success, data: z.array(z.object({ day, ...ticketSums.shape })) }),
  errors: ['NOT_FOUND'],
});
