import type { Role } from '@drawhouse/contract/core/primitives';
import { expect, type Page } from '@playwright/test';
import { haveSession } from './support.ts';
import { nameOf } from './testNetwork.ts';

export async function openProfile(page: Page, url: string, role: Role): Promise<void> {
  await haveSession(page, url, nameOf(role));
  await page.goto(`${url}/${role}/profile`);
  await expect(page.getByText('This device')).toBeVisible();
}
