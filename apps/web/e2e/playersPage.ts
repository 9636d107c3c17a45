import type { Page } from '@playwright/test';
import { haveSession, type TestServer } from './support.ts';
import { nameOf } from './testNetwork.ts';

export const SIZES = [[320, 640], [360, 740], [390, 844], [600, 844], [640, 450], 768, 1024, 1280, 1440] as const;

export const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

export async function openAsPlayer(page: Page, { url }: TestServer, path: string): Promise<void> {
  await haveSession(page, url, nameOf('user'));
  await page.goto(url + path);
}
