import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { expect, type Locator, type Page } from '@playwright/test';
import { ask } from '../../server/test/test-databases.ts';
import {
  giveGames,
  LONG_DRAW_SECONDS,
  nameOf,
  OTHER_LONG_DRAW_SECONDS,
  setDrawInterval,
  type Network,
} from './testNetwork.ts';
import { callApi, haveSession, tokenOf, type BeginsWith, type TestServer } from './support.ts';

export const NO_DRAWS: BeginsWith = {
  prepare: async (database) => {
    await setDrawInterval(database, 'lottery3d', LONG_DRAW_SECONDS);
    await setDrawInterval(database, 'europeanroulette', OTHER_LONG_DRAW_SECONDS);
  },
};

export async function playGames({ url }: TestServer, { accounts }: Network, gameIds: readonly string[]): Promise<void> {
  const token = await tokenOf(url, nameOf('superadmin'));
  const { data } = await callApi<{ data: { _id: string; gameId: string }[] }>(url, 'game', token);
  const own = data.filter(({ gameId }) => gameIds.includes(gameId));
  await giveGames(url, token, accounts.admin._id, own);
}

export async function openBoard(page: Page, { url }: TestServer, gameId: string): Promise<void> {
  await haveSession(page, url, nameOf('user'));
  await page.goto(`${url}/play/${gameId}`);
  const { gameName } = BUILT_IN_GAMES.find((game) => game.gameId === gameId)!;
  await expect(page.getByRole('heading', { level: 1, name: gameName })).toBeVisible();
  await expect(drawPart(page)).toContainText('Betting closes in');
}

export const drawPart = (page: Page): Locator => page.getByRole('region', { name: 'The draw' });
export const cellOf = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('grid').getByRole('button', { name, exact: typeof name === 'string' });
export const placeButton = (page: Page): Locator => page.getByRole('button', { name: /^Place( |$)/ });
export const fateOf = (page: Page, is: 'Placed' | 'Not placed' | 'Checking whether your ticket was placed'): Locator =>
  page.getByText(is, { exact: true });

export const SEND = '**/api/app/bet';
export const ASK = '**/api/app/bet/*';

export async function layAndPlace(page: Page, server: TestServer, gameId: string): Promise<void> {
  await openBoard(page, server, gameId);
  await page.getByRole('grid').getByRole('button').nth(3).click();
  await placeButton(page).click();
}

/** Applies the change right before the bet reaches the server, which then refuses the ticket. */
export async function placeUnheard(page: Page, change: () => Promise<unknown>): Promise<void> {
  await page.route(SEND, async (route) => {
    await change();
    await route.continue();
  });
  await placeButton(page).click();
}

export async function declare({ url }: TestServer, { accounts }: Network, gameId: string): Promise<void> {
  const body = { gameId, adminId: accounts.admin._id, result: '3' };
  await callApi(url, 'live/addresult', await tokenOf(url, nameOf('admin')), body);
}

export interface OwnTicket {
  readonly ticketId: string;
  readonly drawId: string;
  readonly playpoints: number;
}

export async function ticketsOf({ url }: TestServer, gameId: string): Promise<readonly OwnTicket[]> {
  const token = await tokenOf(url, nameOf('user'));
  return (await callApi<{ data: readonly OwnTicket[] }>(url, `app/tickets?gameId=${gameId}`, token)).data;
}

export function closeGame({ ownerUrl }: TestServer, gameId: string): Promise<void> {
  return ask(ownerUrl!, `update games set status = 'inactive' where game_key = '${gameId}'`);
}
