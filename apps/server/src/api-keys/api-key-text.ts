import { hash, randomBytes } from 'node:crypto';
import { API_KEY_PREFIX } from '@drawhouse/contract/api-keys/api-keys';
import { asUuid } from '../platform/db/sql/name-uuid.ts';

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const FORM = new RegExp(`^${API_KEY_PREFIX}[A-Za-z0-9_-]{${((ID_BYTES + SECRET_BYTES) / 3) * 4}}$`);

export interface ReadApiKey {
  readonly adminId: string;
  readonly hash: Buffer;
}

/** Embeds the admin id, so lookups stay within one network. Adds 32 random bytes. */
export function newApiKey(adminId: string): string {
  const id = Buffer.from(adminId.replaceAll('-', ''), 'hex');
  return API_KEY_PREFIX + Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** Session tokens never start with this prefix. */
export function isApiKey(token: string): boolean {
  return token.startsWith(API_KEY_PREFIX);
}

export function readApiKey(text: string): ReadApiKey | undefined {
  if (!FORM.test(text)) return undefined;
  const id = Buffer.from(text.slice(API_KEY_PREFIX.length), 'base64url').toString('hex', 0, ID_BYTES);
  return { adminId: asUuid(id), hash: hash('sha256', text, 'buffer') };
}
