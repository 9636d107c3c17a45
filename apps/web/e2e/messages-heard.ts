import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Keeps in `heard` every text that comes onto the page, however soon it goes. Runs in the browser. */
const LISTEN = `(() => {
  window.heard = [];
  window.listener ??= new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) heard.push(node.textContent);
  });
  listener.observe(document.body, { childList: true, subtree: true });
})()`;

/**
 * Expects that what is done brings a message that goes by itself after a few seconds: on a busy machine it is gone before anybody
 * looks for it.
 */
export async function expectSaid(page: Page, message: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(LISTEN);
  await act();
  const isSaid = () => page.evaluate<boolean>(`heard.some((text) => text.includes(${JSON.stringify(message)}))`);
  await expect.poll(isSaid, { message }).toBe(true);
  await page.evaluate('listener.disconnect()');
}
