import { roleBelow, STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { expect, test } from '@playwright/test';
import { isWhole } from '../../server/test/test-tier.ts';
import {
  ADJUSTED,
  TRANSFERRED,
  accountsOf,
  amountOf,
  fillCredit,
  pointsText,
  previewOf,
  submitOf,
} from './creditForms.ts';
import { expectSaid } from './messages-heard.ts';
import { nameOf, serveNetwork, type Network } from './testNetwork.ts';
import { expectAccessibleInLong, failOnErrors, loseAnswers, type TestServer } from './support.ts';

let server: TestServer;
let network: Network;
const { allow } = failOnErrors();
serveNetwork('credit', (...both) => ([server, network] = both));
const { idOf, signInAs, balanceOf } = accountsOf(() => ({ server, network }));

/** `story.spec.ts` covers every giver, so `npm test` runs one. */
const GIVERS = isWhole ? STAFF_ROLES : (['retailer'] as const);

for (const giver of GIVERS) {
  const level = roleBelow(giver)!;

  test(`a ${giver} gives to a ${level} and takes back, from list and details`, async ({ page }) => {
    const [given, had] = [await balanceOf(giver), await balanceOf(level)];
    await signInAs(page, giver);

    await test.step('a transfer from the list', async () => {
      await page.goto(`${server.url}/${giver}/${level}`);
      await page.getByRole('link', { name: `Credit Transfer: ${nameOf(level)}` }).click();
      await fillCredit(page, '12.50');
      await page.getByRole('textbox', { name: 'Note' }).fill('For the evening');
      await expect(previewOf(page)).toHaveText([pointsText(had + 12.5), pointsText(given - 12.5)]);
      await expectSaid(page, TRANSFERRED, () => submitOf(page, 'Credit Transfer').click());
      await expect(amountOf(page)).toBeFocused();
      await expect(amountOf(page)).toHaveValue('');
      await expect(page.getByRole('main').getByText('is required')).toBeHidden();
      await expect(page.getByRole('banner')).toContainText(pointsText(given - 12.5));
      await expect(previewOf(page)).toHaveText([pointsText(had + 12.5), pointsText(given - 12.5)]);
    });

    await test.step('and back from the details', async () => {
      await page.goBack();
      await page.getByRole('link', { name: nameOf(level), exact: true }).click();
      await page.getByRole('main').getByRole('link', { name: 'Credit Adjust', exact: true }).click();
      await page.getByRole('radio', { name: 'Debit (take back)' }).check();
      await fillCredit(page, '12.50');
      await expect(previewOf(page)).toHaveText([pointsText(had), pointsText(given)]);
      await expectSaid(page, ADJUSTED, () => submitOf(page, 'Credit Adjust').click());
      await expect(page.getByRole('banner')).toContainText(pointsText(given));
    });
    expect([await balanceOf(giver), await balanceOf(level)]).toEqual([given, had]);
  });
}

test("errors in a credit form use the specification's words and move nothing", async ({ page }) => {
  const had = await balanceOf('retailer');
  await signInAs(page, 'distributor');
  const main = page.getByRole('main');

  await page.goto(`${server.url}/distributor/retailer/credittransfer/${idOf('retailer')}`);
  await submitOf(page, 'Credit Transfer').click();
  await expect(main.getByText('Amount is required')).toBeVisible();
  await expect(main.getByText('Password is required')).toBeVisible();
  await expect(amountOf(page)).toBeFocused();
  await fillCredit(page, '0');
  await submitOf(page, 'Credit Transfer').click();
  await expect(main.getByText('Invalid transfer amount. Please enter a valid number.')).toBeVisible();
  await fillCredit(page, '5', '   ');
  await submitOf(page, 'Credit Transfer').click();
  await expect(main.getByText('Password is required for credit transfer.')).toBeVisible();

  await test.step('more than the balance', async () => {
    await fillCredit(page, '1,000,000');
    await expect(main.getByText(/^You have only [\d,.]+ points to give\.$/)).toBeVisible();
    await expect(previewOf(page).nth(1)).toHaveText(/^−/);
    await expectAccessibleInLong(page);
    await submitOf(page, 'Credit Transfer').click();
    await expect(amountOf(page)).toBeFocused();
  });

  await test.step('a wrong password', async () => {
    allow(/status of 403 .*credit-transfer/);
    await fillCredit(page, '5', 'not the password');
    const answer = page.waitForResponse('**/credit-transfer');
    await submitOf(page, 'Credit Transfer').click();
    expect((await answer).status()).toBe(403);
    await expect(main.getByText('The password is wrong')).toBeVisible();
    await expect(amountOf(page)).toHaveValue('5');
  });

  await test.step('an adjustment', async () => {
    await amountOf(page).fill('');
    await page.getByLabel('Password', { exact: true }).fill('');
    await page.goto(`${server.url}/distributor/retailer/creditadjust/${idOf('retailer')}`);
    await fillCredit(page, '0.99');
    await submitOf(page, 'Credit Adjust').click();
    await expect(main.getByText('Amount must be greater than 0')).toBeVisible();
    await amountOf(page).fill('1e3');
    await submitOf(page, 'Credit Adjust').click();
    await expect(main.getByText('Invalid adjustment amount. Please enter a valid number.')).toBeVisible();
    await fillCredit(page, '5', '   ');
    await submitOf(page, 'Credit Adjust').click();
    await expect(main.getByText('Password is required for credit adjustment.')).toBeVisible();
    await page.getByRole('radio', { name: 'Debit (take back)' }).check();
    await amountOf(page).fill('1000000');
    await expect(main.getByText(`the-retailer has only ${pointsText(had)} points.`)).toBeVisible();
  });
  expect(await balanceOf('retailer')).toBe(had);
});

test('a repeated submission acts once: double click, Enter twice, reload before the answer', async ({ page }) => {
  const had = await balanceOf('user');
  await signInAs(page, 'retailer');
  const path = `${server.url}/retailer/user/credittransfer/${idOf('user')}`;

  await test.step('a double click', async () => {
    await page.goto(path);
    await fillCredit(page, '7');
    await expectSaid(page, TRANSFERRED, () => submitOf(page, 'Credit Transfer').dblclick());
    await expect(page.getByRole('banner')).toContainText(pointsText(await balanceOf('retailer')));
    expect(await balanceOf('user')).toBe(had + 7);
  });

  await test.step('Enter twice', async () => {
    await page.goto(path);
    await fillCredit(page, '8');
    await expectSaid(page, TRANSFERRED, async () => {
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
    });
    expect(await balanceOf('user')).toBe(had + 15);
  });

  await test.step('a reload before the answer, then the same input', async () => {
    await page.goto(path);
    const { acted } = await loseAnswers(page, '**/credit-transfer');
    await fillCredit(page, '9');
    await submitOf(page, 'Credit Transfer').click();
    await acted;
    expect(await balanceOf('user')).toBe(had + 24);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    // Not earlier: removing the route sends the request, whose answer might arrive in time.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await fillCredit(page, '9');
    await submitOf(page, 'Credit Transfer').click();
    await expect(page.getByText('Nothing was moved twice.')).toBeVisible();
    expect(await balanceOf('user')).toBe(had + 24);
  });

  await test.step('a deliberate repetition acts again', async () => {
    await fillCredit(page, '9');
    await submitOf(page, 'Credit Transfer').click();
    await expect.poll(() => balanceOf('user')).toBe(had + 33);
  });
});
