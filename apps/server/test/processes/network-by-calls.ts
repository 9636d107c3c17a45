import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword, login } from '@drawhouse/contract/auth/auth';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { ELEVATION_HEADER, type RouteAnswer, type RouteInput } from '@drawhouse/contract/core/route';
import { PASSWORD } from '../test-password.ts';

interface Asked<R> {
  readonly status: number;
  readonly body: RouteAnswer<R> & { readonly code?: string };
}

export async function ask<R extends { method: string; path: string }>(
  url: string,
  route: R,
  input: RouteInput<R>,
  {
    token,
    elevation,
    answerMs,
  }: { readonly token?: string; readonly elevation?: string; readonly answerMs?: number } = {},
): Promise<Asked<R>> {
  const { params, body } = input as { params?: Record<string, string>; body?: unknown };
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => params![name]!);
  const response = await fetch(`${url}/api/${path}`, {
    method: route.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(elevation !== undefined && { [ELEVATION_HEADER]: elevation }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(answerMs !== undefined && { signal: AbortSignal.timeout(answerMs) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** Sensitive calls wait until staff have chosen their own password. */
export const FIRST_PASSWORD = 'first horse battery';

export async function chooseOwnPassword(url: string, username: string): Promise<void> {
  const { body } = await ask(url, login, { body: { username, password: FIRST_PASSWORD } });
  await ask(url, changePassword, { body: { opass: FIRST_PASSWORD, npass: PASSWORD, cpass: PASSWORD } }, body);
}

export async function signInTo(url: string, username: string): Promise<RouteAnswer<typeof login>> {
  return (await ask(url, login, { body: { username, password: PASSWORD, elevation: true } })).body;
}

/** An account per role, each with the credit. Needs `SUPERADMIN_PASSWORD`. */
export async function makeNetworkOf(
  url: string,
  { name, games, points }: { readonly name: string; readonly games: readonly string[]; readonly points: number },
): Promise<{ username: string; uniqueId: string; key: string; token: string }> {
  let parent = await signInTo(url, 'superadmin');
  let key = '';
  const issue = { toUserId: parent.user._id, adjustAmount: points, password: PASSWORD };
  await ask(url, accountRoutes.superadmin.creditAdjust, { body: issue }, parent);
  for (const role of ROLES.slice(1)) {
    const played = role === 'admin' ? { games: [...games] } : {};
    const password = role === 'user' ? PASSWORD : FIRST_PASSWORD;
    const body = { username: `${name}-${role}`, password, commission: 0, note: 'add notes', ...played };
    const { data } = (await ask(url, accountRoutes[role].create, { body }, parent)).body;
    const order = { toUserId: data._id, transferAmount: points, password: PASSWORD };
    await ask(url, accountRoutes[role].creditTransfer, { body: order }, parent);
    if (role !== 'user') await chooseOwnPassword(url, `${name}-${role}`);
    parent = await signInTo(url, `${name}-${role}`);
    if (role === 'admin') key = (await ask(url, makeApiKey, { body: { name: 'Front' } }, parent)).body.key;
  }
  const { token, user } = parent;
  return { username: user.username, uniqueId: user.uniqueId, key, token };
}
