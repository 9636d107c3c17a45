import { expect, test } from '@playwright/test';
import { isWhole } from '../../server/test/test-tier.ts';
import { expectToFit } from './look.ts';
import { cellOf, drawPart, fateOf, NO_DRAWS, openBoard, placeButton, playGames, ticketsOf } from './playTable.ts';
import { drawNow, nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { callApi, expectAccessible, failOnErrors, tokenOf, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;

serveNetwork('play', (...both) => ([server, network] = both), NO_DRAWS);
failOnErrors();

const GAMES = [
  { gameId: 'titlisorrat', cell: 'Sun', result: '3', pays: '10.00' },
  { gameId: 'europeanroulette', cell: '17 black', result: '17', pays: '36.00' },
  { gameId: 'andarbahar', cell: 'spade', result: '13', color: 'black', type: 'spade', pays: '3.80' },
  { gameId: 'triplefun', typed: '23', result: '123', pays: '90.00' },
  { gameId: 'lottery3d', typed: 'fp 12', result: '123', pays: '90.00' },
  {
    gameId: 'lottery4d',
    typed: '42',
    result: '[{"series":"1000","results":[{"subseries":"1000","drawno":"1042"}]}]',
    pays: '90.00',
    winners: '1 winning number, 1 yours',
  },
  {
    gameId: 'acqOpdpL',
    typed: '07',
    result: '[{"series":"K50SILVER","drawno":"07"},{"series":"K60GOLD","drawno":"42"}]',
    pays: '50.00',
    winners: '2 winning numbers, 1 yours',
  },
] as const;

const SIZES = [[320, 640], [360, 740], [390, 844], [600, 844], [640, 450], 768, 900, 1024, 1280, 1440] as const;

test.beforeAll(() =>
  playGames(
    server,
    network,
    GAMES.map(({ gameId }) => gameId),
  ),
);

const PLAYED = GAMES.filter(({ gameId }) => isWhole || ['titlisorrat', 'lottery4d'].includes(gameId));

for (const game of PLAYED)
  test(`a round of ${game.gameId} is placed, drawn and paid`, async ({ page }) => {
    const { gameId, result, pays } = game;
    await openBoard(page, server, gameId);
    await expect(page.getByRole('grid')).toBeVisible();
    await expect(page.getByText(/pays [\d.,]+ for 1, returns [\d.]+%/).first()).toBeVisible();
    if ('cell' in game) await cellOf(page, game.cell).click();
    else {
      const numbers = page.getByRole('textbox', { name: 'Numbers' });
      const units = page.getByRole('textbox', { name: 'Units' });
      const reads = Promise.withResolvers<void>();
      await page.route('**/assets/expand-*.js', (route) => reads.promise.then(() => route.continue()));
      await numbers.fill(game.typed);
      await numbers.press('Enter');
      await expect(units, 'whoever types fast waits for nothing').toBeFocused();
      await units.press('Enter');
      await expect(numbers).toBeFocused();
      await expect(numbers).toHaveValue('');
      reads.resolve();
    }
    const ticket = page.getByRole('region', { name: 'Your slip' });
    await expect(ticket).toContainText('1 bet');
    await expectAccessible(page);
    await expectToFit(page, SIZES, gameId);

    await expect(placeButton(page)).toHaveText('Place 1.00');
    await placeButton(page).click();
    await expect(fateOf(page, 'Placed')).toBeVisible();
    const shown = await page.getByRole('link', { name: /^Ticket / }).textContent();
    const [own] = await ticketsOf(server, gameId);
    expect(own).toMatchObject({ playpoints: 1 });
    expect(shown).toBe(`Ticket ${own!.ticketId}`);
    await expect(ticket).toContainText('Tap a number');
    await page.reload();
    await expect(drawPart(page)).toContainText('This draw: 1.00 on 1 bet');
    if ('cell' in game) await expect(cellOf(page, /, 1\.00 points placed$/)).toHaveCount(1);

    const { color, type } = 'type' in game ? game : { color: undefined, type: undefined };
    const declared = { gameId, adminId: network.accounts.admin._id, drawId: own!.drawId, result, color, type };
    await callApi(server.url, 'live/addresult', await tokenOf(server.url, nameOf('admin')), declared);
    await expect(drawPart(page)).toContainText('Closed. Drawn in');
    // The moment closes automatically, so the test waits for it from the draw on.
    const moment = page.getByRole('button', { name: 'Close the result' });
    await Promise.all([drawNow(server, gameId), expect(moment).toContainText(`You won ${pays}`)]);
    const last = page.getByRole('region', { name: 'Last result' });
    await expect(last).toContainText(`You won ${pays} on 1.00.`);
    if ('winners' in game) {
      await expect(last).toContainText(game.winners);
      await expect(last.locator('mark')).toHaveText(/^(1042|07) yours$/);
    }
    await expect(drawPart(page)).toContainText(`Last draw: you won ${pays} on 1.00`);
    await expect(last, 'its source is never hidden').toContainText('Declared by the operator');
    await expect(last.getByRole('link', { name: 'Check this draw' })).toHaveAttribute('href', `/fair/${own!.drawId}`);
  });
