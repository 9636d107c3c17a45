import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Keeps in `heard` every text that comes onto the page, or takes the place of another, however soon it goes. Runs in the browser. */
const LISTEN = `(() => {
  window.heard = [];
  window.listener ??= new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'characterData' ? [target] : addedNodes) heard.push(node.textContent);
  });
  listener.observe(document.body, { childList: true, characterData: true, subtree: true });
})()`;

/**
 * Expects that what is done brings a message, by all its parts or the whole of it, that goes by itself after a few seconds: on a busy machine it is gone
 * before anybody looks for it.
 */
export async function expectSaid(
  page: Page,
  message: string | readonly string[] | { readonly whole: string },
  act: () => Promise<unknown>,
): Promise<void> {
  await page.evaluate(LISTEN);
  await act();
  const fits =
    typeof message === 'object' && 'whole' in message
      ? `text === ${JSON.stringify(message.whole)}`
      : `${JSON.stringify([message].flat())}.every((part) => text.includes(part))`;
  await expect.poll(() => page.evaluate<boolean>(`heard.some((text) => ${fits})`), { message: fits }).toBe(true);
  await page.evaluate('listener.disconnect()');
}
