import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Keeps in `heard` what comes onto the page, or takes the place of another, however soon it goes: its text, and those of all elements in it. Runs in the browser. */
const LISTEN = `(() => {
  window.heard = [];
  window.listener ??= new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'characterData' ? [target] : addedNodes)
        heard.push([node, ...(node.querySelectorAll?.('*') ?? [])].map(({ textContent }) => textContent));
  });
  listener.observe(document.body, { childList: true, characterData: true, subtree: true });
})()`;

/**
 * Expects that what is done brings a message that goes by itself after a few seconds: on a busy machine it is gone before anybody looks for it. It has all
 * the parts, or for each of `whole` an element that says that and no more.
 */
export async function expectSaid(
  page: Page,
  message: string | readonly string[] | { readonly whole: string | readonly string[] },
  act: () => Promise<unknown>,
): Promise<void> {
  await page.evaluate(LISTEN);
  await act();
  const fits =
    typeof message === 'object' && 'whole' in message
      ? `${JSON.stringify([message.whole].flat())}.every((text) => texts.includes(text))`
      : `${JSON.stringify([message].flat())}.every((part) => texts[0].includes(part))`;
  await expect.poll(() => page.evaluate<boolean>(`heard.some((texts) => ${fits})`), { message: fits }).toBe(true);
  await page.evaluate('listener.disconnect()');
}
