import * as z from 'zod/mini';
import { amount, day, id, points, requiredText, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';

/** How every API key begins, so that people and scanners know one where it should not be. */
export const API_KEY_PREFIX = 'dhk_';

/** The most keys of a network that have not ended, the most addresses of one, and the most tickets a minute that can be asked for. */
export const API_KEY_LIMITS = { keys: 20, addresses: 20, ticketsPerMinute: 10_000_000 } as const;

/** Of how many days the use of a key is shown. */
export const API_KEY_DAYS = 92;

const perMinute = `Write a whole number from 1 to ${API_KEY_LIMITS.ticketsPerMinute}, or leave it out for any number`;

/** What the admin of a network says of a key. What is left out or null is not limited. */
const apiKeyTerms = z.object({
  name: requiredText('Name is required', 64),
  ticketsPerMinute: z.optional(
    z.nullable(
      z.number({ error: perMinute }).check(
        z.refine((value) => Number.isInteger(value) && value >= 1 && value <= API_KEY_LIMITS.ticketsPerMinute, {
          error: perMinute,
        }),
      ),
    ),
  ),
  stakePerDay: z.optional(z.nullable(amount)),
  /** IP addresses, or networks as `203.0.113.0/24`, from which it may be used. */
  addresses: z.optional(
    z
      .array(requiredText('Write an IP address as 203.0.113.7, or a network as 203.0.113.0/24', 50), {
        error: 'Addresses is a list of IP addresses',
      })
      .check(z.maxLength(API_KEY_LIMITS.addresses, { error: `Give at most ${API_KEY_LIMITS.addresses} addresses` })),
  ),
});
/** What the admin of a network says of a key. */
export type ApiKeyTerms = z.infer<typeof apiKeyTerms>;

const laid = z.object({ tickets: z.number(), stake: points });

/** A key as the admin of its network sees it: never the key itself. */
export const apiKey = z.object({
  _id: id,
  name: z.string(),
  /** Its last four letters, to tell it by. */
  ending: z.string(),
  ticketsPerMinute: z.nullable(z.number()),
  stakePerDay: z.nullable(points),
  addresses: z.array(z.string()),
  madeAt: time,
  endedAt: z.nullable(time),
  lastUsedAt: z.nullable(time),
  /** What was laid by it on the running day of the server's time zone, and since it was made. */
  today: laid,
  total: laid,
});
/** A key as the admin of its network sees it. */
export type ApiKey = z.infer<typeof apiKey>;

const keyId = { keyId: id };

/** `GET apikeys`: the keys of the admin's own network, those that can be used first, the newest of each first. */
export const apiKeys = route({
  method: 'GET',
  path: 'apikeys',
  summary: 'The API keys of the own network with their limits and what was laid by them, those that have ended too.',
  access: ['admin'],
  response: z.object({ ...success, data: z.array(apiKey) }),
});

/** `POST apikeys`: makes a key. The answer alone has it. */
export const makeApiKey = route({
  method: 'POST',
  path: 'apikeys',
  summary: 'Makes an API key of the own network; the key itself is in this answer and nowhere else.',
  access: ['admin'],
  sensitive: 'elevation',
  body: apiKeyTerms,
  status: 201,
  response: z.object({ ...success, message: z.string(), key: z.string(), data: apiKey }),
  errors: ['RULE_REFUSED'],
});

/** `PUT apikeys/:keyId`: gives a key another name and other limits, which hold from the next ticket. */
export const changeApiKey = route({
  method: 'PUT',
  path: 'apikeys/:keyId',
  summary: 'Gives an API key of the own network another name and other limits, which hold from the next ticket.',
  access: ['admin'],
  sensitive: 'elevation',
  params: keyId,
  body: apiKeyTerms,
  response: z.object({ ...success, message: z.string(), data: apiKey }),
  errors: ['NOT_FOUND'],
});

/** `POST apikeys/:keyId/end`: ends a key at once and for ever. */
export const endApiKey = route({
  method: 'POST',
  path: 'apikeys/:keyId/end',
  summary: 'Ends an API key of the own network, at once and for ever; one that has ended stays so.',
  access: ['admin'],
  sensitive: 'elevation',
  params: keyId,
  response: z.object({ ...success, message: z.string(), data: apiKey }),
  errors: ['NOT_FOUND'],
});

/** `GET apikeys/:keyId/days`: what was laid by a key on each of its last days, the newest first; days without a ticket are left out. */
export const apiKeyDays = route({
  method: 'GET',
  path: 'apikeys/:keyId/days',
  summary: `What was laid by an API key of the own network on each of the last ${API_KEY_DAYS} days, the newest first.`,
  access: ['admin'],
  params: keyId,
  response: z.object({ ...success, data: z.array(z.object({ day, ...laid.shape })) }),
  errors: ['NOT_FOUND'],
});
