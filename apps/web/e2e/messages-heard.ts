import { expect, type Page } from '@playwright/test';

/** Records in `heard` every text, however brief. Runs in the browser. */
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
 * Finds the message even if it disappears before a slow machine could look. It contains all parts; each of `whole` is
 * the exact text of an element.
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
