import { API_KEY_LIMITS, type ApiKey, type ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import { KEY_PERMISSIONS } from '@drawhouse/contract/core/permissions';
import type { Change } from '@drawhouse/contract/activity/activity';
import { hundredthsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { hash } from 'node:crypto';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand, runCommandDuringRestore } from '../activity/run-command.ts';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import type { Queryable, Tx } from '../platform/db/database.ts';
import type { Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { readAddresses, shownAddress } from '../platform/http/request/address.ts';
import { endRequestsOfKeys } from '../approvals/approvals.sql.ts';
import { newApiKey } from './authenticate-key.ts';
import { listKeys, lockKey, type ApiKeyRow } from './api-keys.sql.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { API_KEY_TEXTS, API_KEY_SUBJECTS } from './api-keys-texts.ts';

const NUMBERS_MAX = 32_767;
const ENDING = 4;

type StoredTerms = Pick<
  ApiKeyRow,
  'name' | 'tickets_per_minute' | 'stake_per_day' | 'permissions' | 'credit_per_day' | 'expires_at' | 'addresses'
>;

function storedTerms(terms: ApiKeyTerms): StoredTerms {
  const { name, ticketsPerMinute, expiresAt, permissions = [] } = terms;
  const inHundredths = (points: number | null | undefined): bigint | null =>
    points === undefined || points === null ? null : hundredthsOf(points)!;
  return {
    name,
    tickets_per_minute: ticketsPerMinute ?? null,
    stake_per_day: inHundredths(terms.stakePerDay),
    permissions: KEY_PERMISSIONS.filter((permission) => permissions.includes(permission)),
    credit_per_day: inHundredths(terms.creditPerDay),
    expires_at: expiresAt === undefined || expiresAt === null ? null : new Date(expiresAt),
    addresses: readAddresses(terms.addresses ?? []),
  };
}

/** Returns the key's only copy. */
export async function makeKey(
  services: Services,
  call: Call<Actor>,
  requestedTerms: ApiKeyTerms,
): Promise<{ message: string; key: string; data: ApiKey }> {
  const { id, networkId, username, chain } = call.actor;
  const terms = storedTerms(requestedTerms);
  const key = newApiKey(chain[1]!);
  return runCommand(services, call, async (tx, at) => {
    const keyId = services.newId();
    await insertKey(tx, call.actor, { terms, key, keyId, at });
    return {
      result: {
        message: API_KEY_TEXTS.created(terms.name),
        key,
        data: await shownKey(services, tx, { id, networkId }, keyId),
      },
      subject: API_KEY_SUBJECTS.created(terms.name, username),
      detail: { apiKey: keyId, did: 'made' },
      changes: termChanges(null, terms),
    };
  });
}

async function insertKey(
  tx: Tx,
  { id, networkId }: Actor,
  { terms, key, keyId, at }: { terms: StoredTerms; key: string; keyId: string; at: Date },
): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('api keys ' || ${networkId}::int, 0))`);
  const [keys] = await tx.query<{ last: number; usable: number }>(
    sql`select coalesce(max(number), 0)::int as last,
        (count(*) filter (where ended_at is null and made_by = ${id}))::int as usable from api_keys
      where network_id = ${networkId}`,
  );
  if (keys!.usable >= API_KEY_LIMITS.keys)
    throw new CallError('RULE_REFUSED', {
      message: API_KEY_TEXTS.tooMany(API_KEY_LIMITS.keys),
    });
  if (keys!.last >= NUMBERS_MAX) throw new CallError('RULE_REFUSED', { message: API_KEY_TEXTS.numbersUsed });
  await tx.query(
    sql`insert into api_keys (network_id, number, id, made_by, made_at, key_hash, ending, name, tickets_per_minute, stake_per_day,
      permissions, credit_per_day, expires_at, addresses)
     values (${networkId}, ${keys!.last + 1}, ${keyId}, ${id}, ${at}, ${hash('sha256', key, 'buffer')},
       ${key.slice(-ENDING)}, ${terms.name}, ${terms.tickets_per_minute}, ${terms.stake_per_day},
       ${terms.permissions}, ${terms.credit_per_day}, ${terms.expires_at}, ${terms.addresses}::cidr[])`,
  );
}

/** Throws NOT_FOUND if the key is foreign or ended. */
export async function changeKey(
  services: Services,
  call: Call<Actor>,
  keyId: string,
  requestedTerms: ApiKeyTerms,
): Promise<{ message: string; data: ApiKey }> {
  const terms = storedTerms(requestedTerms);
  return runCommandDuringRestore(services, call, async (tx) => {
    const before = await lockKey(tx, call.actor, keyId);
    if (!before || before.ended_at) throw noKey();
    await tx.query(
      sql`update api_keys set name = ${terms.name}, tickets_per_minute = ${terms.tickets_per_minute},
        permissions = ${terms.permissions}, credit_per_day = ${terms.credit_per_day}, expires_at = ${terms.expires_at},
        stake_per_day = ${terms.stake_per_day}, addresses = ${terms.addresses}::cidr[]
        where network_id = ${call.actor.networkId} and number = ${before.number}`,
    );
    const changes = termChanges(before, terms);
    return {
      result: {
        message: API_KEY_TEXTS.changed(terms.name),
        data: await shownKey(services, tx, call.actor, keyId),
      },
      subject: changes.length === 0 ? null : API_KEY_SUBJECTS.changed(terms.name, call.actor.username),
      detail: { apiKey: keyId, did: 'changed' },
      changes,
    };
  });
}

/** Waits for in-flight bets; later ones fail. */
export async function endKey(
  services: Services,
  call: Call<Actor>,
  keyId: string,
): Promise<{ message: string; data: ApiKey }> {
  return runCommandDuringRestore(services, call, async (tx, at) => {
    const key = await lockKey(tx, call.actor, keyId);
    if (!key) throw noKey();
    if (!key.ended_at)
      await tx.query(
        sql`update api_keys set ended_at = ${at} where network_id = ${call.actor.networkId} and number = ${key.number}`,
      );
    await endRequestsOfKeys(tx, { networkId: call.actor.networkId, keys: [key.number] }, at);
    return {
      result: { message: API_KEY_TEXTS.ended(key.name), data: await shownKey(services, tx, call.actor, keyId) },
      subject: key.ended_at ? null : API_KEY_SUBJECTS.ended(key.name, call.actor.username),
      detail: { apiKey: keyId, did: 'ended' },
      changes: changeOf('Status', 'Can be used', 'Ended'),
    };
  });
}

const noKey = (): CallError => new CallError('NOT_FOUND', { fields: { keyId: API_KEY_TEXTS.notFound } });

async function shownKey(
  { clock, timeZone }: Services,
  on: Queryable,
  owner: Pick<Actor, 'id' | 'networkId'>,
  keyId: string,
): Promise<ApiKey> {
  const [key] = await listKeys(on, owner, dayOf(clock.now(), timeZone), keyId);
  return key!;
}

function termChanges(before: StoredTerms | null, after: StoredTerms): Change[] {
  const words = (terms: StoredTerms | null): Record<string, string | null> => ({
    Name: terms?.name ?? null,
    'Most tickets a minute': terms?.tickets_per_minute?.toString() ?? null,
    'Most stakes a day': terms?.stake_per_day == null ? null : pointsText(terms.stake_per_day),
    'Staff calls': terms?.permissions.join(', ') || null,
    'Most credit moved a day': terms?.credit_per_day == null ? null : pointsText(terms.credit_per_day),
    Expires: terms?.expires_at?.toISOString() ?? null,
    'Allowed addresses': terms?.addresses.map(shownAddress).join(', ') || null,
  });
  const [was, is] = [words(before), words(after)];
  return Object.keys(is).flatMap((what) => changeOf(what, was[what]!, is[what]!));
}
