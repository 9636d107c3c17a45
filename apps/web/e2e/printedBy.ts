import { expect, type Page } from '@playwright/test';
import { extractText } from 'unpdf';

export async function printedBy(page: Page, act: () => Promise<void>): Promise<string[]> {
  await page.evaluate('window.hasPrinted = false; window.print = () => (window.hasPrinted = true)');
  await act();
  await expect.poll(() => page.evaluate<boolean>('window.hasPrinted')).toBe(true);
  const { text } = await extractText(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
  return text.map((sheet) => sheet.replaceAll(/\s+/g, ' '));
}
