import { makeApiKey, type ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import type { SignedIn, TestApp } from '../harness.ts';

export async function uniqueIdOf(t: TestApp, { _id }: Pick<SignedIn, '_id'>): Promise<string> {
  const [row] = await t.db.query<{ unique_id: string }>('select unique_id from accounts where id = $1', [_id]);
  return row!.unique_id;
}

export async function makeKey(
  t: TestApp,
  admin: SignedIn,
  terms: Partial<ApiKeyTerms> = {},
): Promise<{ key: string; keyId: string }> {
  const { key, data } = await t.ok(makeApiKey, { body: { name: 'Front', ...terms } }, admin);
  return { key, keyId: data._id };
}
