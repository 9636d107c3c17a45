import { login } from '@drawhouse/contract/auth/auth';
import { CallFailed, connect, pause, type Call, type Client } from '../../../tools/demo/client.ts';
import { STAND_PASSWORD, type Stand } from '../stand.ts';

const AT_ONCE = 400;

/** Rotates over running servers. Without any, fails as if unanswered. */
export function callOn(stand: Stand): Call {
  const clients = new Map<string, Client>();
  let turn = 0;
  return (route, input, options) => {
    const urls = stand.urls();
    const url = urls[turn++ % Math.max(1, urls.length)];
    const name = `${route.method} ${route.path}`;
    if (url === undefined) return Promise.reject(new CallFailed(name, 'NO_RESPONSE', 'The server is down.', 0));
    let client = clients.get(url);
    if (!client) clients.set(url, (client = connect(url, AT_ONCE, new AbortController().signal)));
    return client.call(route, input, options);
  };
}

/** An ended session fails this call; the next signs in again. */
export function asAccount(call: Call, username: string): Call {
  let token: Promise<string> | undefined;
  const forget = (used: Promise<string>): void => {
    if (token === used) token = undefined;
  };
  return async (route, input, options) => {
    const used = (token ??= call(login, { body: { username, password: STAND_PASSWORD, elevation: true } }).then(
      (answer) => answer.token,
    ));
    try {
      return await call(route, input, { ...options, password: STAND_PASSWORD, token: await used });
    } catch (error) {
      if (error instanceof CallFailed && (error.call === `${login.method} ${login.path}` || error.status === 401))
        forget(used);
      throw error;
    }
  };
}

/** True if the request should be resent. */
export function isOutage(error: unknown): boolean {
  return error instanceof CallFailed && (error.status === 0 || error.status === 503);
}

/** True if the server is down or busy, or the account deactivated. */
export function isAway(error: unknown): boolean {
  if (isOutage(error)) return true;
  return error instanceof CallFailed && ([401, 429].includes(error.status) || error.code === 'ACCOUNT_INACTIVE');
}

const ANSWERED_MS = 60_000;
const AGAIN_MS = 250;

export async function answered<T>(call: () => Promise<T>): Promise<T> {
  const until = performance.now() + ANSWERED_MS;
  for (;;)
    try {
      return await call();
    } catch (error) {
      if (!isAway(error) || performance.now() > until) throw error;
      await pause(AGAIN_MS);
    }
}
