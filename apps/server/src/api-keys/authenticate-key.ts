import type { Services } from '../platform/services.ts';
import type { ApiKeyCaller } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { isAllowed } from './allowed-addresses.ts';
import { readApiKey } from './api-key-text.ts';
import { overNetworks } from '../platform/db/over-networks.ts';
import { sql } from '../platform/db/sql/sql.ts';

const NOTED_EVERY_MS = 10_000;

/**
 * Resolves a key to its admin; admin and superadmin must be active. Throws API_KEY_ENDED for unknown or ended keys,
 * NOT_ALLOWED for a wrong address.
 */
export async function authenticateKey({ db, clock }: Services, token: string, ip: string): Promise<ApiKeyCaller> {
  const read = readApiKey(token);
  if (!read) throw new CallError('API_KEY_ENDED');
  const [key] = await db.query<{ network_id: number; number: number; addresses: string[]; last_used_at: Date | null }>(
    sql`select k.network_id, k.number, k.addresses::text[] as addresses, k.last_used_at
     from networks n join api_keys k on k.network_id = n.id join accounts a on a.id = n.admin_id
     where n.admin_id = ${read.adminId} and k.key_hash = ${read.hash} and k.ended_at is null
       and not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null)) ${sql.raw(overNetworks('apiKey'))}`.named(
      'api-key-find',
    ),
  );
  if (!key) throw new CallError('API_KEY_ENDED');
  if (!isAllowed(key.addresses, ip)) throw notFromHere();
  const { network_id: networkId, number, last_used_at: last } = key;
  const now = clock.now();
  if (!last || now.getTime() - last.getTime() >= NOTED_EVERY_MS)
    await db.query(
      sql`update api_keys set last_used_at = greatest(last_used_at, ${now}) where network_id = ${networkId} and number = ${number}`.named(
        'api-key-used',
      ),
    );
  return { adminId: read.adminId, networkId, number };
}

export const notFromHere = (): CallError =>
  new CallError('NOT_ALLOWED', { message: "This API key can't be used from this address." });
