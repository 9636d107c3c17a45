import { DEFAULT_GAMBLING_HELP, WORLD } from '@drawhouse/contract/house/gambling-help';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { expect, test, type Page } from '@playwright/test';
import { findUnfit } from './fit.ts';
import { expectToFit } from './look.ts';
import { NO_DRAWS, playGames } from './playTable.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import {
  callApi,
  expectAccessible,
  failOnErrors,
  haveSession,
  tokenOf,
  type TestServer,
  openUntilQuiet,
} from './support.ts';

let server: TestServer;
let network: Network;
let ticketId: string;
let drawId: string;

serveNetwork('languages', (...both) => ([server, network] = both), NO_DRAWS);
const { allow } = failOnErrors();

const GAMES = ['europeanroulette', 'titlisorrat', 'triplefun', 'andarbahar', 'lottery3d', 'lottery4d', 'acqOpdpL'];
const PHONES = [
  [360, 740],
  [390, 844],
] as const;

test.beforeAll(async () => {
  await playGames(server, network, GAMES);
  const token = await tokenOf(server.url, nameOf('user'));
  const state = await callApi<{ draw: { _id: string } }>(server.url, 'app/state?gameId=lottery3d', token);
  drawId = state.draw._id;
  const { ticket } = await callApi<{ ticket: { ticketId: string } }>(server.url, 'app/bet', token, {
    gameId: 'lottery3d',
    drawId,
    requestId: crypto.randomUUID(),
    lines: [{ drawno: '123', head: 'straight', qty: 2 }],
  });
  ticketId = ticket.ticketId;
});

/** Adds accents and brackets, and lengthens the text by about 40 %. Also runs in the browser. */
function inPseudo(text: string): string {
  const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', y: 'ý' };
  const UPPER: Readonly<Record<string, string>> = { A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú', Y: 'Ý' };
  const accented = text
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 ? part : part.replaceAll(/[aeiouy]/gi, (sign) => ACCENTED[sign] ?? UPPER[sign]!)))
    .join('');
  const letters = text.replaceAll(/\{\w+\}|[^A-Za-z]/g, '').length;
  if (letters < 2) return text;
  const more = Array.from({ length: Math.ceil((letters * 0.4) / 5) }, () => 'óóóóó')
    .join(' ')
    .slice(0, Math.ceil(letters * 0.4));
  return `[${accented}${letters < 12 ? '' : ' '}${more.trim()}]`;
}

/** Runs in the browser, before the app. */
const PSEUDO_LANGUAGE = `{
  const inPseudo = ${inPseudo.toString()};
  const pseudo = (texts) =>
    typeof texts === 'string' ? inPseudo(texts)
    : typeof texts === 'function' ? (...input) => pseudo(texts(...input))
    : Array.isArray(texts) ? texts.map(pseudo)
    : typeof texts === 'object' && texts !== null
      ? Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, name === 'text' && texts.means ? text : pseudo(text)]))
      : texts;
  globalThis.catalogue = { language: 'en', textsOf: (_name, english) => pseudo(english) };
}`;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });
/** Names of games and accounts, the house, months, time zones, the grammar of bets. */
const DATA = new Set(
  [
    ...BUILT_IN_GAMES.map(({ gameName }) => gameName),
    'Lucky 12 Coupon, Lucky 16, Triple Chance, Roulette, DusKaDum, Lucky 10 Coupon, Drawhouse, UTC, GMT, English, Language',
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec perm box sub andhar bahar',
    ...DEFAULT_GAMBLING_HELP.flatMap(({ name, contact }) => [name, contact]),
    ...DEFAULT_GAMBLING_HELP.map(({ country }) => (country === WORLD ? '' : COUNTRIES.of(country)!)),
  ]
    .join(' ')
    .split(/[^\p{L}]+/u),
);

/** Words of three plain letters or more that come from no catalogue and are no data. */
async function fixedTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement!.closest('script, style, noscript, svg, code, [lang="hi"]'))
        found.push((node as Text).data);
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder']) found.push(element.getAttribute(name) ?? '');
    return found;
  });
  const isFixed = (word: string) => /^[A-Za-z]{3,}$/.test(word) && !DATA.has(word);
  const names = new RegExp(
    [...Object.values(network.accounts).flatMap(({ username, uniqueId }) => [username, uniqueId]), ticketId].join('|'),
    'g',
  );
  return [...new Set(texts)].filter((text) =>
    text
      .replaceAll(names, '')
      .replaceAll(/[\p{Lu}\d]{4}(?:-[\p{Lu}\d]{4})+|[0-9a-f]{8,}/gu, '')
      .split(/[^\p{L}]+/u)
      .some(isFixed),
  );
}

async function openInPseudo(page: Page, path: string, isPlayer: boolean): Promise<void> {
  await page.addInitScript(PSEUDO_LANGUAGE);
  if (isPlayer) await haveSession(page, server.url, nameOf('user'));
  await openUntilQuiet(page, server.url + path);
  await expect(page.locator('main h1')).toContainText(/\S/);
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

const button = (page: Page, name: string) => page.getByRole('button', { name: inPseudo(name), exact: true });

async function expectTranslated(page: Page, what: string): Promise<void> {
  expect.soft(await fixedTexts(page), `fixed texts of ${what}`).toEqual([]);
  await expectToFit(page, PHONES, what);
}

async function expectSheetTranslated(page: Page, what: string): Promise<void> {
  expect.soft(await fixedTexts(page), `fixed texts of ${what}`).toEqual([]);
  for (const [width, height] of PHONES) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => findUnfit(page, 'dialog[open]'), { message: `${what} at ${width} px` }).toEqual([]);
  }
}

const PAGES: readonly (readonly [path: string, isPlayer: boolean])[] = [
  ['/welcome', false],
  ['/sign-in', false],
  ['/help', false],
  ['/terms', false],
  ['/', true],
  ...GAMES.flatMap((gameId) =>
    [`/play/${gameId}`, `/play/${gameId}/rules`, `/results/${gameId}`].map((path) => [path, true] as const),
  ),
  ['/mine/bets', true],
  ['/mine/statement', true],
  ['/mine/limits', true],
  ['/mine/account', true],
];

for (const [path, isPlayer] of PAGES)
  test(`a longer language fits ${path} and leaves no text fixed`, async ({ page }) => {
    await openInPseudo(page, path, isPlayer);
    await expectTranslated(page, path);
  });

test('a longer language fits the page and the print of a ticket', async ({ page }) => {
  await openInPseudo(page, `/mine/bets/${ticketId}`, true);
  await expectTranslated(page, 'ticket');
});

test('a longer language fits the sheets of a board and its messages', async ({ page }) => {
  await openInPseudo(page, '/play/lottery3d', true);
  const slip = page.getByRole('grid').getByRole('button');
  await slip.nth(2).click();
  await slip.nth(5).click();
  await expectTranslated(page, 'slip');
  for (const name of ['Quick pick', 'Favorites', 'List', 'Settings']) {
    await button(page, name).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet).toBeVisible();
    if (name === 'List') await sheet.locator('textarea').fill('12\n12,34,56 10');
    await expectSheetTranslated(page, name);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  }
  await page.getByRole('button', { name: /Plácé 2/ }).click();
  await expect(page.getByText(inPseudo('Placed'), { exact: true })).toBeVisible();
  await expectTranslated(page, 'placed ticket');
});

test('a longer language fits the menu, a limit, a break and an exclusion', async ({ page }) => {
  await openInPseudo(page, '/mine/limits', true);
  const sheet = page.getByRole('dialog');
  for (const open of [
    button(page, 'Menu'),
    page.getByRole('button', { name: /Chángé/ }).first(),
    page.getByRole('button', { name: /Táké á bréák óf/ }),
    page.getByRole('button', { name: /Éxclúdé mé fór/ }),
  ]) {
    await open.click();
    await expect(sheet).toBeVisible();
    await expectSheetTranslated(page, 'sheet');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  }
});

test.describe('in a browser that prefers Hindi', () => {
  test.use({ locale: 'hi-IN' });

  test('pages, refusals and numbers are in Hindi, until the reader chooses English', async ({ page }) => {
    await page.goto(`${server.url}/welcome`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('आपका स्वागत है');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'अभी खेलें' }).click();
    allow(/status of 401/);
    await page.getByRole('textbox', { name: 'यूज़रनेम' }).fill('nobody');
    await page.getByLabel('पासवर्ड', { exact: true }).fill('wrong password');
    await page.getByRole('button', { name: 'लॉगिन' }).click();
    await expect(page.getByText('यूज़रनेम या पासवर्ड गलत है।')).toBeVisible();
    await page.getByRole('button', { name: 'मेन्यू' }).click();
    await page.getByRole('group', { name: 'Language / भाषा' }).getByRole('button', { name: 'English' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });

  test('a bet is typed as in English, and its problems are in Hindi', async ({ page }) => {
    await haveSession(page, server.url, nameOf('user'));
    await page.goto(`${server.url}/play/lottery3d`);
    const numbers = page.getByRole('textbox', { name: 'नंबर' });
    await numbers.fill('fp 123');
    await expect(page.getByText(/फ्रंट पेयर बेट में 2 अंक होते हैं/)).toBeVisible();
    await numbers.fill('fp 12*2');
    await numbers.press('Enter');
    await page.getByRole('textbox', { name: 'यूनिट' }).press('Enter');
    await expect(page.getByText('फ्रंट पेयर 12').first()).toBeVisible();
    await page.getByRole('button', { name: '2.00 लगाएँ' }).click();
    await expect(page.getByText('टिकट लग गया', { exact: true })).toBeVisible();
  });
});

test.describe('the fairness pages in Hindi', () => {
  test.use({ locale: 'hi-IN' });

  test('explain and check draws in Hindi, and fit a phone', async ({ page }) => {
    await page.goto(`${server.url}/fair`);
    await expect(page.getByRole('heading', { level: 1, name: 'ड्रॉ निष्पक्ष कैसे हैं' })).toBeVisible();
    await expectToFit(page, PHONES, 'fair');
    await page.goto(`${server.url}/fair/${drawId}`);
    await expect(page.getByRole('heading', { name: 'बेट खुली है' })).toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'फ्रंट पेयर' })).toBeVisible();
    await expectToFit(page, PHONES, 'draw');
    await expectAccessible(page);
  });
});

test('readers of English load no other language', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/welcome`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((path) => /\/hi-/.test(path))).toEqual([]);
});
