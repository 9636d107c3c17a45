import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { Page } from '@playwright/test';
import { callApi, haveSession, PASSWORD, tokenOf, type TestServer } from './support.ts';
import { nameOf, type Network } from './testNetwork.ts';

export const TRANSFERRED = 'Credit transfer successful!';
export const ADJUSTED = 'Credit adjustment successful!';

export const amountOf = (page: Page) => page.getByRole('textbox', { name: 'Amount' });
export const submitOf = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
export const previewOf = (page: Page) => page.getByRole('table').getByRole('row').locator('td:last-child');

export async function fillCredit(page: Page, points: string, password = PASSWORD): Promise<void> {
  await amountOf(page).fill(points);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

export function pointsText(points: number): string {
  return points.toLocaleString('en-US', { minimumFractionDigits: 2 });
}

/** `its` is a function because the network exists only once tests run. */
export function accountsOf(its: () => { readonly server: TestServer; readonly network: Network }) {
  const idOf = (role: Role): string => its().network.accounts[role]._id;
  const signInAs = (page: Page, role: Role): Promise<void> => haveSession(page, its().server.url, nameOf(role));
  const balanceOf = async (role: Role): Promise<number> => {
    const { url } = its().server;
    const path = `${ROLE_PREFIX[role]}/${idOf(role)}`;
    const { data } = await callApi<{ data: { walletBalance: number } }>(url, path, await tokenOf(url, nameOf(role)));
    return data.walletBalance;
  };
  return { idOf, signInAs, balanceOf };
}
