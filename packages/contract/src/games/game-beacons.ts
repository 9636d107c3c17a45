import * as z from 'zod/mini';
import { done, id, success, time } from '../frame/primitives.ts';
import { route } from '../frame/route.ts';
import { updatesOf, UPDATES_BODY_BYTES } from '../frame/updates.ts';

/** The beacons of one game of an admin, by their public keys. */
export const gameBeacons = z.object({
  /** The id of the pair, as `_id` of the game and admin pairs. */
  id,
  gameId: z.string(),
  gameName: z.string(),
  beacons: z.array(z.string()),
});
/** The beacons of one game of an admin. */
export type GameBeacons = z.infer<typeof gameBeacons>;

/** A beacon of `BEACONS`, as the server that answers has seen it since it started. */
export const beaconState = z.object({
  publicKey: z.string(),
  address: z.string(),
  /** Whether the times of its rounds are known, so that draws can use it. */
  isReady: z.boolean(),
  /** The last round whose value a draw has taken. */
  last: z.nullable(z.object({ round: z.number(), at: time })),
  /** Why it does not answer as it should, and since when. */
  away: z.nullable(z.object({ since: time, why: z.string() })),
});
/** A beacon of `BEACONS`. */
export type BeaconState = z.infer<typeof beaconState>;

/** `GET beacons/:adminId`: the beacons that this server knows, and those that each game of an admin uses. */
export const listBeacons = route({
  method: 'GET',
  path: 'beacons/:adminId',
  summary: 'The beacons that this server knows (BEACONS), and those that each game of an admin uses.',
  access: ['superadmin'],
  params: { adminId: id },
  response: z.object({
    ...success,
    beacons: z.array(beaconState),
    data: z.array(gameBeacons),
  }),
  errors: ['NOT_FOUND'],
});

/** `PUT beacons/:adminId`: sets which beacons games of an admin use, all of them or none. It holds for draws not yet opened. */
export const setBeacons = route({
  method: 'PUT',
  path: 'beacons/:adminId',
  summary:
    'Sets which beacons games of an admin use, by their public keys; an empty list for none. It holds for draws not yet opened.',
  access: ['superadmin'],
  sensitive: 'elevation',
  params: { adminId: id },
  body: z.object({
    updates: updatesOf(
      z.object({
        id,
        beacons: z
          .array(z.string().check(z.maxLength(192)))
          .check(z.maxLength(3, { error: 'A game uses at most 3 beacons' })),
      }),
    ),
  }),
  bodyLimit: UPDATES_BODY_BYTES,
  response: z.object({ ...done.shape, data: z.array(gameBeacons) }),
  errors: ['NOT_FOUND'],
});
