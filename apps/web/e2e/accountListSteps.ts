import type { Role } from '@drawhouse/contract/core/primitives';
import { expect, type Page } from '@playwright/test';
import { callApi, PASSWORD, tokenOf, type TestServer } from './support.ts';
import { nameOf, type Network } from './testNetwork.ts';

export async function openList(page: Page, url: string, level: Role): Promise<void> {
  await page.goto(`${url}/superadmin/${level}`);
  await expect(page.getByRole('checkbox', { name: `Select ${nameOf(level)}` })).toBeVisible();
}

export async function exportedName(page: Page, name: 'Export XLS' | 'Export selected'): Promise<string> {
  const download = page.waitForEvent('download');
  if (name === 'Export XLS') await chooseExport(page, name);
  else await page.getByRole('button', { name, exact: true }).click();
  return (await download).suggestedFilename();
}

export async function chooseExport(page: Page, name: 'Export XLS' | 'Export CSV' | 'Print'): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

export const INACTIVE = 'penniless';

export async function makeInactivePlayer({ url }: TestServer, { accounts }: Network): Promise<void> {
  await callApi(url, 'users/create', await tokenOf(url, nameOf('superadmin')), {
    username: INACTIVE,
    password: PASSWORD,
    commission: 0,
    note: 'add notes',
    refId: accounts.retailer._id,
    userStatus: false,
  });
}

export async function expectPlayers(page: Page, ...names: string[]): Promise<void> {
  for (const name of [nameOf('user'), INACTIVE])
    await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(names.includes(name) ? 1 : 0);
}

export const chipOf = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
