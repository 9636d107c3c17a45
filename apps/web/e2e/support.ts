import { rm } from 'node:fs/promises';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { Role } from '@drawhouse/contract/core/primitives';
import { PASSWORD_HEADER } from '@drawhouse/contract/core/route';
import { expect, test, type Locator, type Page, type Request } from '@playwright/test';
import axe from 'axe-core';
import { makeDataDir } from '../../server/test/processes/data-dir.ts';
import { startServerHost, type ServerHost } from '../../server/test/processes/hosted-servers.ts';
import { isWhole } from '../../server/test/test-tier.ts';
import { QUICK_PASSWORDS, startServer, type ServerProcess } from '../../server/test/processes/server-process.ts';
import { createDatabase, type TestDatabase } from '../../server/test/test-databases.ts';
import type { Addresses } from '../../server/src/compose/serve.ts';
import { lifeOf } from '@drawhouse/session/session-clock';
import { PERSISTED_KEY, persistedText } from '@drawhouse/session/session-storage';
import { NETWORK_TEMPLATE, testRun } from './testRun.ts';

export const PASSWORD = 'correct horse battery';

export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  /** Undefined for an embedded database. */
  readonly ownerUrl: string | undefined;
  remove(): Promise<void>;
}

export type TestServerProcess = TestServer & Pick<ServerProcess, 'end'>;

export interface BeginsWith {
  /** Starts with only the catalog and the superadmin. */
  readonly isEmpty?: boolean;
  /** Runs before any draw opens. */
  readonly prepare?: (database: { readonly ownerUrl: string }) => Promise<void>;
  readonly settings?: Readonly<Record<string, string>>;
}

let host: ServerHost | undefined;

/**
 * Shares the worker's process with other servers, which loads the code once. Its database is a copy with the small
 * network. Every account has {@link PASSWORD}.
 */
export async function startTestServer(name: string, beginsWith: BeginsWith = {}): Promise<TestServer> {
  const dataDir = await makeDataDir(name);
  const database = await databaseFor(beginsWith);
  host ??= startServerHost();
  const server = await host.start({ ...settingsOf(database), ...beginsWith.settings, DATA_DIR: dataDir });
  const end = () => server.stop();
  return { url: server.url, dataDir, ownerUrl: database.ownerUrl, remove: () => remove(end, dataDir, database) };
}

/**
 * Use this for tests that kill the server. `inDataDir` gives an empty embedded PostgreSQL, which takes some seconds.
 */
export async function startTestServerProcess(
  name: string,
  { inDataDir = false, ...beginsWith }: BeginsWith & { readonly inDataDir?: boolean } = {},
): Promise<TestServerProcess> {
  const dataDir = await makeDataDir(name);
  const database = inDataDir ? undefined : await databaseFor(beginsWith);
  const server = await startServer(dataDir, database ? settingsOf(database) : SETTINGS, QUICK_PASSWORDS);
  const end = () => server.end('SIGTERM');
  return { ...server, dataDir, ownerUrl: database?.ownerUrl, remove: () => remove(end, dataDir, database) };
}

const SETTINGS = { SUPERADMIN_PASSWORD: PASSWORD };

export function settingsOf({ serverUrl, ownerUrl }: Addresses): Record<string, string> {
  return { ...SETTINGS, DATABASE_URL: serverUrl, DATABASE_OWNER_URL: ownerUrl, SEED_KEY: testRun().seedKey };
}

async function databaseFor({ isEmpty = false, prepare }: BeginsWith): Promise<TestDatabase> {
  const database = await createDatabase(testRun(), isEmpty ? undefined : NETWORK_TEMPLATE);
  await prepare?.(database);
  return database;
}

async function remove(end: () => Promise<unknown>, dataDir: string, database: TestDatabase | undefined): Promise<void> {
  await end();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
}

export function watchErrors(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}, ${message.location().url}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
}

interface ErrorWatch {
  watch: (page: Page) => void;
  /** Matched against `page: error, address`. May be called at any time. */
  allow: (pattern: RegExp) => void;
}

export function failOnErrors(...watchers: readonly (typeof watchErrors)[]): ErrorWatch {
  const problems: string[] = [];
  const allowed: RegExp[] = [];
  const watch = (page: Page): void => {
    for (const watchOne of watchers.length > 0 ? watchers : [watchErrors]) watchOne(page, problems);
  };
  test.beforeEach(({ page }) => {
    problems.length = 0;
    allowed.length = 0;
    watch(page);
  });
  test.afterEach(() => {
    expect(problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))).toEqual([]);
  });
  return { watch, allow: (pattern) => void allowed.push(pattern) };
}

/** Ignores canceled requests. */
export function watchRequests(page: Page, problems: string[]): void {
  page.on('response', (response) => {
    if (response.status() < 400) return;
    problems.push(`${page.url()}: ${response.request().method()} ${response.url()} answered ${response.status()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (!why.includes('ERR_ABORTED')) problems.push(`${page.url()}: ${request.url()} failed: ${why}`);
  });
}

const QUIET_MS = 500;

/** Like 'networkidle' after `act`, but ignores Socket.IO, whose polling never idles. */
export async function untilQuiet(page: Page, act: () => Promise<unknown>): Promise<void> {
  const pending = new Set<Request>();
  let changedAt = Date.now();
  const begin = (request: Request) => {
    if (new URL(request.url()).pathname.startsWith('/socket.io/')) return;
    pending.add(request);
    changedAt = Date.now();
  };
  const end = (request: Request) => {
    if (pending.delete(request)) changedAt = Date.now();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await act();
  const waitsFor = (): string[] =>
    Date.now() - changedAt < QUIET_MS ? ['quiet'] : [...pending].map((request) => request.url());
  await expect.poll(waitsFor).toEqual([]);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

export function openUntilQuiet(page: Page, address: string): Promise<void> {
  return untilQuiet(page, () => page.goto(address));
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Themes differ only in colors, so the dark one is checked only for contrast. */
export async function findViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  // Half-faded elements fail the contrast check.
  const isStill = await page.evaluate<boolean>(`matchMedia('(prefers-reduced-motion: reduce)').matches`);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = (): Promise<number> =>
    page.evaluate<number>(`document.getAnimations().filter(({ playState }) => playState === 'running').length`);
  await expect.poll(moving).toBe(0);
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${axe.source}; void 0`);
  // By default axe also describes passing elements, at three times the cost.
  const options = { resultTypes: ['violations'] };
  for (const theme of ['light', 'dark']) {
    // The apps use different theme attributes.
    await page.evaluate(
      `Object.assign(document.documentElement.dataset, { mantineColorScheme: '${theme}', theme: '${theme}' })`,
    );
    const rules = theme === 'dark' && { runOnly: ['color-contrast'] };
    const violations = await page.evaluate<Violation[]>(
      `axe.run(${JSON.stringify({ ...options, ...rules })}).then(({ violations }) => violations)`,
    );
    found.push(...violations.map(({ id, nodes }) => `${id} in ${theme}: ${nodes[0]?.html}`));
  }
  await page.emulateMedia({ reducedMotion: isStill ? 'reduce' : 'no-preference' });
  return found;
}

/** Needed by tests of glows, rolls and drags. */
export const IN_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const;

export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

/** Runs axe in the long tier. `npm test` runs it on the sign-in, one list, one panel and the board. */
export async function expectAccessibleInLong(page: Page): Promise<void> {
  if (isWhole) await expectAccessible(page);
}

/**
 * Sends the password with every call of this context, so sensitive calls need no prompt. Also fills the field of
 * dialogs that ask beforehand.
 */
export async function sendPasswords(page: Page, isSent = true): Promise<void> {
  await page.context().setExtraHTTPHeaders(isSent ? { [PASSWORD_HEADER]: PASSWORD } : {});
  const field = page.getByRole('dialog').getByLabel('Your password', { exact: true });
  await page.removeLocatorHandler(field);
  // Keeps the focus. `evaluate` would wait for the field of a dialog that has closed.
  const fill = () =>
    field.evaluateAll<void, string, HTMLInputElement>((inputs, value) => {
      for (const input of inputs) {
        if (input.value !== '') continue;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }, PASSWORD);
  if (isSent) await page.addLocatorHandler(field, fill, { noWaitAfter: true });
}

/**
 * Skips the form, for this and later pages of the context. Pages send the password ({@link sendPasswords}), because
 * elevation is not stored.
 */
export async function haveSession(page: Page, url: string, username: string): Promise<void> {
  await sendPasswords(page);
  const data = { username, password: PASSWORD, elevation: true };
  const response = await page.request.post(`${url}/api/auth/login`, { data });
  const answer = (await response.json()) as { success: boolean; token: string; expiresAt: string; user: AuthUser };
  expect(answer, username).toMatchObject({ success: true });
  const { token, expiresAt, user } = answer;
  const kept = persistedText(token, user.role, lifeOf(expiresAt, 0, Date.now(), null), user);
  // Any response gives access to the origin's storage.
  await page.goto(`${url}/healthz`);
  await page.evaluate(
    `sessionStorage.clear(); localStorage.setItem(${JSON.stringify(PERSISTED_KEY)}, ${JSON.stringify(kept)})`,
  );
}

export async function signIn(page: Page, url: string, username: string, role: Role): Promise<void> {
  await haveSession(page, url, username);
  await page.goto(role === 'user' ? `${url}/` : `${url}/${role}/dashboard`);
}

/** Uses the real form. Pages send the password ({@link sendPasswords}), because tests reload them. */
export async function signInByForm(page: Page, url: string, username: string, role: Role): Promise<void> {
  await sendPasswords(page);
  await page.goto(`${url}/auth/login`);
  await submitSignIn(page, username);
  await page.waitForURL(role === 'user' ? `${url}/` : `**/${role}/dashboard`);
}

export async function submitSignIn(page: Page, username: string, password: string = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Does not wait for the page, whose work may exceed the typing timeout. */
export async function typeDigits(page: Page, digits: string): Promise<void> {
  await Promise.all([...digits].flatMap((digit) => [page.keyboard.down(digit), page.keyboard.up(digit)]));
}

/** Pauses some seconds ahead. The clock must be installed. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 10_000);
}

/** Advances a paused clock while waiting for work with timers. */
export async function whileTimeCreeps(page: Page, work: Promise<void>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => void (isDone = true));
  while (!isDone) await page.clock.runFor(1);
  await done;
}

export async function inRowMenu(page: Page, of: string, action: string): Promise<Locator> {
  await page.getByRole('button', { name: `More actions: ${of}`, exact: true }).click();
  return page.getByRole('menu').getByRole('menuitem', { name: action, exact: true });
}

/** Fails on an error response. */
export async function callApi<T>(
  url: string,
  path: string,
  token?: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}`, [PASSWORD_HEADER]: PASSWORD }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as T & { success: boolean };
  expect(answer, `${path}: ${JSON.stringify(answer)}`).toMatchObject({ success: true });
  return answer;
}

export async function tokenOf(url: string, username: string): Promise<string> {
  return (await callApi<{ token: string }>(url, 'auth/login', undefined, { username, password: PASSWORD })).token;
}

export async function signOut(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /superadmin|the-/ })
    .click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/auth/login');
}

/** The server executes the calls. `acted` resolves after execution. */
export async function loseAnswers(page: Page, address: string): Promise<{ readonly acted: Promise<void> }> {
  const { promise: acted, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await route.fetch();
    resolve();
  });
  return { acted };
}

/** Answers as if the network dropped right after a successful ping. */
export async function answerLastLook(page: Page): Promise<void> {
  await page.route('**/healthz', (route) => route.fulfill({ status: 200 }), { times: 1 });
}
