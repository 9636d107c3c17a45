import { hash, randomBytes } from 'node:crypto';
import { API_KEY_PREFIX } from '@drawhouse/contract/api-keys/api-keys';
import { asUuid } from '../db/name-uuid.ts';

const ID_BYTES = 16;
const SECRET_BYTES = 32;
/** The id of an admin and the secret in base64url, which is 64 letters. */
const FORM = new RegExp(`^${API_KEY_PREFIX}[A-Za-z0-9_-]{${((ID_BYTES + SECRET_BYTES) / 3) * 4}}$`);

/** What of a key is known without asking anybody: whose it says it is, and its hash, by which alone it is kept. */
export interface ReadApiKey {
  readonly adminId: string;
  readonly hash: Buffer;
}

/** Makes the text of a key: with the id of its admin, by which it is looked for in its network alone, and 32 random bytes. */
export function newApiKey(adminId: string): string {
  const id = Buffer.from(adminId.replaceAll('-', ''), 'hex');
  return API_KEY_PREFIX + Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** Whether a token says that it is a key: no session has one that begins so. */
export function isApiKey(token: string): boolean {
  return token.startsWith(API_KEY_PREFIX);
}

/** Reads a key; undefined where a text is none. */
export function readApiKey(text: string): ReadApiKey | undefined {
  if (!FORM.test(text)) return undefined;
  const id = Buffer.from(text.slice(API_KEY_PREFIX.length), 'base64url').toString('hex', 0, ID_BYTES);
  return { adminId: asUuid(id), hash: hash('sha256', text, 'buffer') };
}
