import { BUILT_IN_GAMES } from '@drawhouse/rules/catalogue';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { ask } from '../../server/test/test-databases.ts';
import { giveGames, LONG_DRAW_SECONDS, nameOf, OTHER_LONG_DRAW_SECONDS, setDrawInterval } from './testNetwork.ts';
import type { Network } from './testNetwork.ts';
import { callApi, haveSession, tokenOf } from './support.ts';
import type { BeginsWith, TestServer } from './support.ts';

/** Lets no game draw by the clock: those of a minute and those of five. */
export const NO_DRAWS: BeginsWith = {
  prepare: async (database) => {
    await setDrawInterval(database, 'lottery3d', LONG_DRAW_SECONDS);
    await setDrawInterval(database, 'europeanroulette', OTHER_LONG_DRAW_SECONDS);
  },
};

/** Makes the games of the network exactly these. */
export async function playGames({ url }: TestServer, { accounts }: Network, gameIds: readonly string[]): Promise<void> {
  const token = await tokenOf(url, nameOf('superadmin'));
  const { data } = await callApi<{ data: { _id: string; gameId: string }[] }>(url, 'game', token);
  const own = data.filter(({ gameId }) => gameIds.includes(gameId));
  await giveGames(url, token, accounts.admin._id, own);
}

/** Opens the board of a game as the player, once its draw takes bets. */
export async function openBoard(page: Page, { url }: TestServer, gameId: string): Promise<void> {
  await haveSession(page, url, nameOf('user'));
  await page.goto(`${url}/play/${gameId}`);
  const { gameName } = BUILT_IN_GAMES.find((game) => game.gameId === gameId)!;
  await expect(page.getByRole('heading', { level: 1, name: gameName })).toBeVisible();
  await expect(drawPart(page)).toContainText('Betting closes in');
}

/** What stands on the board of the draw. */
export const drawPart = (page: Page): Locator => page.getByRole('region', { name: 'The draw' });
/** A cell of the board by its name. */
export const cellOf = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('grid').getByRole('button', { name, exact: typeof name === 'string' });
/** The button that places the ticket. */
export const placeButton = (page: Page): Locator => page.getByRole('button', { name: /^Place( |$)/ });
/** What the page says of a ticket: one of three, or that it is being placed. */
export const fateOf = (
  page: Page,
  is: 'Placed' | 'Not placed' | 'Finding out whether your ticket was placed',
): Locator => page.getByText(is, { exact: true });

/** A ticket as the player's list has it. */
export interface OwnTicket {
  readonly ticketId: string;
  readonly drawId: string;
  readonly playpoints: number;
}

/** The tickets that the player has on a game, newest first. */
export async function ticketsOf({ url }: TestServer, gameId: string): Promise<readonly OwnTicket[]> {
  const token = await tokenOf(url, nameOf('user'));
  return (await callApi<{ data: readonly OwnTicket[] }>(url, `app/tickets?gameId=${gameId}`, token)).data;
}

/** Closes a game for everybody, in the middle of its draw. */
export function closeGame({ ownerUrl }: TestServer, gameId: string): Promise<void> {
  return ask(ownerUrl!, `update games set status = 'inactive' where game_key = '${gameId}'`);
}
