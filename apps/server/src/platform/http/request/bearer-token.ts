import { hash, timingSafeEqual } from 'node:crypto';

export function isToken(header: string | undefined, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined || token === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
