import type { Services } from '../platform/services.ts';
import { byKey, KEY_COLUMNS, ownerOf, type Actor, type KeyColumns } from '../accounts/authority.ts';
import type { AdmittedKey } from '../platform/http/limits/admit-call.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { isFenced } from '../activity/network-work/fences.ts';
import { requireOwnNetwork } from '../cells/other-cell.ts';
import { isAllowed } from '../platform/http/request/address.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { hash, randomBytes } from 'node:crypto';
import type { Role } from '@drawhouse/contract/core/primitives';
import { API_KEY_PREFIX } from '@drawhouse/contract/api-keys/api-keys';
import { asUuid } from '../platform/db/sql/uuids.ts';
import { API_KEY_TEXTS } from './api-keys-texts.ts';

const NOTED_EVERY_MS = 10_000;

interface KeyRow extends KeyColumns {
  readonly network_id: number;
  readonly last_used_at: Date | null;
  readonly account_id: string;
  readonly role: Role;
  readonly username: string;
  readonly chain: string[];
}

/**
 * Throws API_KEY_ENDED if the key is unknown, ended or expired, or its chain inactive; NOT_ALLOWED for other
 * addresses; OTHER_CELL if another cell has the network; NETWORK_RESTORING while it arrives here.
 */
export async function authenticateKey(services: Services, token: string, ip: string): Promise<AdmittedKey<Actor>> {
  const { db, clock } = services;
  const read = readApiKey(token);
  if (!read) throw new CallError('API_KEY_ENDED');
  const now = clock.now();
  let key = await findKey(services, read, now);
  if (!key && services.directory) {
    await requireArrived(services, read.adminId);
    // The network may have arrived in between.
    key = await findKey(services, read, now);
  }
  if (!key) throw new CallError('API_KEY_ENDED');
  if (!isAllowed(key.key_addresses, ip)) throw addressNotAllowed();
  const { network_id: networkId, key_number: number, last_used_at: last, account_id: id, role, username, chain } = key;
  // A network closed for a move must not change.
  if (!last || now.getTime() - last.getTime() >= NOTED_EVERY_MS)
    await db.query(
      sql`update api_keys set last_used_at = greatest(last_used_at, ${now})
        where network_id = ${networkId} and number = ${number} and hold_network(network_id)`.named('api-key-used'),
    );
  return {
    key: { accountId: id, networkId, number },
    actor: byKey(ownerOf({ id, networkId, username, role, chain }), key),
  };
}

async function findKey({ db }: Services, read: ReadApiKey, now: Date): Promise<KeyRow | undefined> {
  const [key] = await db.query<KeyRow & object>(
    sql`select k.network_id, ${KEY_COLUMNS}, k.last_used_at, a.id as account_id, a.role, a.username, a.chain
     from networks n join api_keys k on k.network_id = n.id join accounts a on a.id = k.made_by
     where n.admin_id = ${read.adminId} and k.key_hash = ${read.hash} and k.ended_at is null
       and (k.expires_at is null or k.expires_at > ${now})
       and not exists (select from accounts up
         where up.id = any(a.chain) and (not up.active or up.deleted_at is not null)) ${sql.raw(crossNetworkComment('apiKey'))}`.named(
      'api-key-find',
    ),
  );
  return key;
}

/** The admin of an arriving network is inactive until the directory has decided. */
async function requireArrived(services: Services, adminId: string): Promise<void> {
  const { db } = services;
  const [network] = await db.query<{ id: number; arrives: boolean }>(
    sql`select id, arrives from networks where admin_id = ${adminId}`,
  );
  const isFencedHere = network !== undefined && (await isFenced(db, network.id));
  if (network && !network.arrives && !isFencedHere) return;
  await requireOwnNetwork(services, adminId);
  if (isFencedHere) throw new CallError('NETWORK_RESTORING');
}

export const addressNotAllowed = (): CallError => new CallError('NOT_ALLOWED', { message: API_KEY_TEXTS.wrongAddress });

const ID_BYTES = 16;
const SECRET_BYTES = 32;
const FORM = new RegExp(`^${API_KEY_PREFIX}[A-Za-z0-9_-]{${((ID_BYTES + SECRET_BYTES) / 3) * 4}}$`);

interface ReadApiKey {
  readonly adminId: string;
  readonly hash: Buffer;
}

/** Embeds the admin id, so lookups stay within one network. */
export function newApiKey(adminId: string): string {
  const id = Buffer.from(adminId.replaceAll('-', ''), 'hex');
  return API_KEY_PREFIX + Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** Session tokens never start with this prefix. */
export function isApiKey(token: string): boolean {
  return token.startsWith(API_KEY_PREFIX);
}

function readApiKey(text: string): ReadApiKey | undefined {
  if (!FORM.test(text)) return undefined;
  const id = Buffer.from(text.slice(API_KEY_PREFIX.length), 'base64url').toString('hex', 0, ID_BYTES);
  return { adminId: asUuid(id), hash: hash('sha256', text, 'buffer') };
}
