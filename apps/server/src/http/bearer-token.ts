import { hash, timingSafeEqual } from 'node:crypto';

/** Whether an `Authorization` header bears a token; never where there is none. */
export function isToken(header: string | undefined, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined || token === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
