import { session } from '@drawhouse/contract/auth/auth';
import type { BrowserContext } from '@playwright/test';
import type { Call } from './demo/client.ts';

export async function signInAll(context: BrowserContext, call: Call, token: string): Promise<void> {
  const { user, expiresAt } = await call(session, {}, { token });
  const auth = { token, expiresAt: Date.parse(expiresAt), idleMs: 1_800_000, final: false, roles: user.role };
  const kept = JSON.stringify({ auth, users: { authUser: user } });
  await context.addInitScript(`localStorage.setItem('auth', ${JSON.stringify(kept)})`);
}
