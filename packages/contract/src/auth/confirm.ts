import * as z from 'zod/mini';
import { done } from '../frame/primitives.ts';
import { CONFIRMED_FOR_MINUTES, route } from '../frame/route.ts';

/** The caller's own password, typed again. As it is: blanks at its ends are part of it. */
export const ownPassword = z
  .string({ error: 'Password is required' })
  .check(z.minLength(1, { error: 'Password is required' }), z.maxLength(200, { error: 'Use at most 200 characters' }));

/** `POST auth/confirm`: the caller's password again, for what is sensitive. */
export const confirmPassword = route({
  method: 'POST',
  path: 'auth/confirm',
  summary: `Takes the caller's password again: for ${CONFIRMED_FOR_MINUTES} minutes its session may do what is sensitive.`,
  access: 'session',
  sensitive: 'asks',
  body: z.object({ password: ownPassword }),
  response: done,
  errors: ['WRONG_PASSWORD'],
});
