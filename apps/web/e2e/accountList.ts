import type { Role } from '@drawhouse/contract/frame/primitives';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { nameOf } from './testNetwork.ts';

/** Opens the superadmin's list of a level. */
export async function openList(page: Page, url: string, level: Role): Promise<void> {
  await page.goto(`${url}/superadmin/${level}`);
  await expect(page.getByRole('checkbox', { name: `Select ${nameOf(level)}` })).toBeVisible();
}

/** Clicks an export button. Returns the name of the downloaded file. */
export async function exportedName(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  return (await download).suggestedFilename();
}
