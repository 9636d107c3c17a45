import { expect, type Page } from '@playwright/test';
import { haveSession } from './support.ts';
import { nameOf, type Network } from './testNetwork.ts';

export const gridOf = (page: Page) => page.getByRole('toolbar', { name: 'Outcomes' });
export const resultForm = (page: Page) => page.getByRole('form', { name: 'Result' });

export function urlOfPanel(url: string, { accounts }: Network, gameId: string): string {
  return `${url}/admin/game/${gameId}/${accounts.admin._id}/${nameOf('admin')}`;
}

export async function openPanel(page: Page, address: string): Promise<void> {
  await haveSession(page, new URL(address).origin, nameOf('admin'));
  await page.goto(address);
  await expect(gridOf(page)).toBeVisible();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
}
