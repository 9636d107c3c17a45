import * as z from 'zod/mini';
import { done } from '../frame/primitives.ts';
import { ELEVATION_HEADER, ELEVATION_MINUTES, route } from '../frame/route.ts';

/** Never trimmed: leading and trailing blanks belong to the password. */
export const ownPassword = z
  .string({ error: 'Password is required' })
  .check(z.minLength(1, { error: 'Password is required' }), z.maxLength(200, { error: 'Use at most 200 characters' }));

export const confirmPassword = route({
  method: 'POST',
  path: 'auth/confirm',
  summary: `Checks the caller's password and returns an elevation, which sensitive calls carry in the header ${ELEVATION_HEADER}. It expires ${ELEVATION_MINUTES.idle} minutes after its last use, and after ${ELEVATION_MINUTES.most} at most.`,
  access: 'session',
  sensitive: 'asks',
  body: z.object({ password: ownPassword }),
  response: z.object({ ...done.shape, elevation: z.string() }),
  errors: ['WRONG_PASSWORD'],
});
