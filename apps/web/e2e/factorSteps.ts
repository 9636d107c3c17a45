import { expect, type Page } from '@playwright/test';
import { generate } from 'otplib';
import { signOut, submitSignIn } from './support.ts';

/** The server takes the codes of the steps before and after, each once. That of the step before may end at any moment. */
export function codeOf(secret: string, steps: 0 | 1): Promise<string> {
  return generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });
}

/** Starts on the profile page. Returns the secret. The server asks a login with a second factor for its code. */
export async function addApp(page: Page, name = 'My phone', codeOfFactor?: string): Promise<string> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  if (codeOfFactor !== undefined) {
    const confirm = page.getByRole('dialog', { name: 'Confirm with your second factor' });
    await confirm.getByRole('textbox', { name: 'Second-factor code' }).fill(codeOfFactor);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
  }
  const setup = page.getByRole('dialog', { name: 'Add authenticator app' });
  const secret = (await setup.locator('code').textContent())!;
  await setup.getByLabel('Name of the device').fill(name);
  await setup.getByLabel('Code').fill(await codeOf(secret, 0));
  await setup.getByRole('button', { name: 'Add app' }).click();
  await expect(setup).toBeHidden();
  return secret;
}

export async function storeCodes(page: Page): Promise<readonly string[]> {
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(shown.getByRole('listitem')).toHaveCount(10);
  const codes = await shown.getByRole('listitem').allTextContents();
  await shown.getByRole('button', { name: 'I have stored them' }).click();
  return codes;
}

/** Other pages than the dashboard have more buttons with the name of the account. */
export async function signOutOnDashboard(page: Page, staff: string): Promise<void> {
  await page.goto(`${staff}/dashboard`);
  await signOut(page);
}

/** By the address of the sign-in: a new page has none yet. */
export async function enterPassword(page: Page, url: string, username: string): Promise<void> {
  await page.goto(`${url}/auth/login`);
  await submitSignIn(page, username);
}
