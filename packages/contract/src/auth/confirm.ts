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
  summary: `Takes the caller's password and answers an elevation, which sensitive calls carry in the header ${ELEVATION_HEADER}. It lasts ${ELEVATION_MINUTES.idle} minutes from its last use, ${ELEVATION_MINUTES.most} at most.`,
  access: 'session',
  sensitive: 'asks',
  body: z.object({ password: ownPassword }),
  response: z.object({ ...done.shape, elevation: z.string() }),
  errors: ['WRONG_PASSWORD'],
});
