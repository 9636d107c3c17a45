import { addApp, beginApp } from '@drawhouse/contract/auth/factors';
import { generate } from 'otplib';
import type { SignedIn, TestApp } from '../harness.ts';

export const APP_STEP_MS = 30_000;

export function appCode(t: TestApp, secret: string): Promise<string> {
  return generate({ secret, epoch: Math.floor(t.clock.now().getTime() / 1_000) });
}

export interface AppOwner {
  readonly account: SignedIn;
  readonly secret: string;
  readonly codes: readonly string[];
}

/** Moves the clock, so the next code is a new one. */
export async function addAppFactor(t: TestApp, account: SignedIn, name = 'Phone'): Promise<AppOwner> {
  const { setup, secret } = await t.ok(beginApp, {}, account);
  const { codes = [] } = await t.ok(addApp, { body: { setup, name, code: await appCode(t, secret) } }, account);
  t.clock.advance(APP_STEP_MS);
  return { account, secret, codes };
}
