import * as z from 'zod/mini';
import { done, id, success, time, updatesOf, UPDATES_BODY_BYTES } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

export const gameBeacons = z.object({
  id,
  gameId: z.string(),
  gameName: z.string(),
  beacons: z.array(z.string()),
});
export type GameBeacons = z.infer<typeof gameBeacons>;

/** State since the start of the answering server. */
export const beaconState = z.object({
  publicKey: z.string(),
  address: z.string(),
  /** True once round times are known. */
  isReady: z.boolean(),
  last: z.nullable(z.object({ round: z.number(), at: time })),
  away: z.nullable(z.object({ since: time, why: z.string() })),
});
export type BeaconState = z.infer<typeof beaconState>;

export const listBeacons = route({
  method: 'GET',
  path: 'beacons/:adminId',
  summary: 'Lists the beacons known to this server (BEACONS), and those that each game of an admin uses.',
  access: ['superadmin'],
  permission: 'settings',
  params: { adminId: id },
  response: z.object({
    ...success,
    beacons: z.array(beaconState),
    data: z.array(gameBeacons),
  }),
  errors: ['NOT_FOUND'],
});

export const setBeacons = route({
  method: 'PUT',
  path: 'beacons/:adminId',
  summary:
    "Sets which beacons an admin's games use, by public key; an empty list for none. Applies to draws not yet opened.",
  access: ['superadmin'],
  permission: 'settings',
  approval: ['guards'],
  sensitive: 'elevation',
  params: { adminId: id },
  body: z.object({
    updates: updatesOf(
      z.object({
        id,
        beacons: z
          .array(z.string().check(z.maxLength(192)))
          .check(z.maxLength(3, { error: GAME_FIELD_TEXTS.tooManyBeacons(3) })),
      }),
    ),
  }),
  bodyLimit: UPDATES_BODY_BYTES,
  response: z.object({ ...done.shape, data: z.array(gameBeacons) }),
  errors: ['NOT_FOUND'],
});
