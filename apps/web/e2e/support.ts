import { rm } from 'node:fs/promises';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { PASSWORD_HEADER } from '@drawhouse/contract/frame/route';
import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import axe from 'axe-core';
import { makeDataDir } from '../../server/test/data-dir.ts';
import { startServerHost } from '../../server/test/hosted-servers.ts';
import type { ServerHost } from '../../server/test/hosted-servers.ts';
import { isWhole } from '../../server/test/how-much.ts';
import { QUICK_PASSWORDS, startServer } from '../../server/test/server-process.ts';
import type { ServerProcess } from '../../server/test/server-process.ts';
import { createDatabase } from '../../server/test/test-databases.ts';
import type { Addresses } from '../../server/src/serve.ts';
import type { TestDatabase } from '../../server/test/test-databases.ts';
import { lifeOf } from '@drawhouse/session/session-clock';
import { PERSISTED_KEY } from '@drawhouse/session/kept-session';
import { persistedText } from '@drawhouse/session/persisted-session';
import { NETWORK_TEMPLATE, testRun } from './testRun.ts';

/** The password of every account of the browser tests. */
export const PASSWORD = 'correct horse battery';

/** A real server with a database of its own. */
export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  /** The address of its database for the role that owns it; none where the server has it in its data folder. */
  readonly ownerUrl: string | undefined;
  /** Ends the server and removes its data. */
  remove(): Promise<void>;
}

/** One that can be ended by a signal, which no other test server notices. */
export type TestServerProcess = TestServer & Pick<ServerProcess, 'end'>;

/** What the database of a test server begins with. */
export interface BeginsWith {
  /** Nothing but the catalogue and the superadmin, in place of a copy of the small network. */
  readonly isEmpty?: boolean;
  /** Changes the database before the server is on it, so before any draw opens. */
  readonly prepare?: (database: { readonly ownerUrl: string }) => Promise<void>;
  /** What its server is told by beside the usual. */
  readonly settings?: Readonly<Record<string, string>>;
}

let host: ServerHost | undefined;

/**
 * Starts a server beside those of the worker's other files, in one process: its code is loaded once. Its database is one of the run's
 * PostgreSQL, with the small network, whose first draw opens now. Everybody there has {@link PASSWORD}.
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
 * Starts the server as a process of its own, for a test that kills it. With `inDataDir` it is empty and has its PostgreSQL in its data
 * folder as at a first start, which takes some seconds.
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

/** The settings of a server on a database of the run. */
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

/** Collects what the browser logs as an error, whatever the page. */
export function watchErrors(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}, ${message.location().url}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
}

/** What is listened to for errors in each test of a file. */
interface ErrorWatch {
  /** Listens to another page of the test too. */
  watch: (page: Page) => void;
  /** What the test itself brings about, and may be told at any time: as `page: what is wrong, address that it is about`. */
  allow: (pattern: RegExp) => void;
}

/** Lets each test of the file fail where the browser logs an error, or another watcher than {@link watchErrors} finds something. */
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

/** Collects every request that the server refuses or does not answer; what the page itself gave up does not count. */
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

/** What is read of a violation that axe finds. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds on the page: everything in the light theme, and in the dark one, which changes only colours, contrast. */
export async function findViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  // What fades in or out has no contrast of its own: without motion it is there or it is not.
  const isStill = await page.evaluate<boolean>(`matchMedia('(prefers-reduced-motion: reduce)').matches`);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = (): Promise<number> =>
    page.evaluate<number>(`document.getAnimations().filter(({ playState }) => playState === 'running').length`);
  await expect.poll(moving).toBe(0);
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${axe.source}; void 0`);
  // By itself axe describes each element that passes too, at thrice the cost.
  const options = { resultTypes: ['violations'] };
  for (const theme of ['light', 'dark']) {
    // The back-office has its theme in the one, the players' pages in the other.
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

/** Motion as a person has it who did not ask for less, for files that test what glows, rolls or is dragged. */
export const IN_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/** Expects that axe finds nothing, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

/** The same in the long tier only: `npm test` runs axe on the sign-in, one list, one panel and the board. */
export async function expectAccessibleInLong(page: Page): Promise<void> {
  if (isWhole) await expectAccessible(page);
}

/** Lets all pages beside this one send the password with each call, so that no sensitive call asks for it; or no more. */
export async function sendPasswords(page: Page, isSent = true): Promise<void> {
  await page.context().setExtraHTTPHeaders(isSent ? { [PASSWORD_HEADER]: PASSWORD } : {});
}

/**
 * Signs an account in for this page and those beside it that are opened later, as its form would, without showing any: where signing in is
 * not what is tested. The pages send the password ({@link sendPasswords}), as the elevation is in no storage.
 */
export async function haveSession(page: Page, url: string, username: string): Promise<void> {
  await sendPasswords(page);
  const data = { username, password: PASSWORD, elevation: true };
  const response = await page.request.post(`${url}/api/auth/login`, { data });
  const answer = (await response.json()) as { success: boolean; token: string; expiresAt: string; user: AuthUser };
  expect(answer, username).toMatchObject({ success: true });
  const { token, expiresAt, user } = answer;
  const kept = persistedText(token, user.role, lifeOf(expiresAt, 0, Date.now(), null), user);
  // Any answer of the server is at the address for which the browser keeps it.
  await page.goto(`${url}/healthz`);
  await page.evaluate(
    `sessionStorage.clear(); localStorage.setItem(${JSON.stringify(PERSISTED_KEY)}, ${JSON.stringify(kept)})`,
  );
}

/** The same, and opens the role's start. */
export async function signIn(page: Page, url: string, username: string, role: Role): Promise<void> {
  await haveSession(page, url, username);
  await page.goto(role === 'user' ? `${url}/` : `${url}/${role}/dashboard`);
}

/** Signs in on the page's own form and waits for the role's start. The pages send the password ({@link sendPasswords}), as tests load them anew. */
export async function signInByForm(page: Page, url: string, username: string, role: Role): Promise<void> {
  await sendPasswords(page);
  await page.goto(`${url}/auth/login`);
  await submitSignIn(page, username);
  await page.waitForURL(role === 'user' ? `${url}/` : `**/${role}/dashboard`);
}

/** Fills the sign-in that the page shows, and sends it. */
export async function submitSignIn(page: Page, username: string, password: string = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Types digits as fast as somebody does: each is sent before the page has done what the one before it brings, which may take longer than they count as one number. */
export async function typeDigits(page: Page, digits: string): Promise<void> {
  await Promise.all([...digits].flatMap((digit) => [page.keyboard.down(digit), page.keyboard.up(digit)]));
}

/** Holds the clock of the pages, some seconds ahead: from here on it goes on only as it is told to. It must be installed. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 10_000);
}

/** Waits for what has timers of its own on a page whose clock is held: that goes on by single milliseconds. */
export async function whileTimeCreeps(page: Page, work: Promise<void>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => void (isDone = true));
  while (!isDone) await page.clock.runFor(1);
  await done;
}

/** Opens the menu of a row, by mouse; answers one of its actions. */
export async function inRowMenu(page: Page, of: string, action: string): Promise<Locator> {
  await page.getByRole('button', { name: `More actions: ${of}`, exact: true }).click();
  return page.getByRole('menu').getByRole('menuitem', { name: action, exact: true });
}

/** Calls the API: a GET, or with a body a POST unless another method is given; expects that it succeeds. */
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

/** Signs an account in by a call. Gives the token of its session. */
export async function tokenOf(url: string, username: string): Promise<string> {
  return (await callApi<{ token: string }>(url, 'auth/login', undefined, { username, password: PASSWORD })).token;
}

/** Signs out by the account menu of a member of the staff. */
export async function signOut(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /superadmin|the-/ })
    .click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/auth/login');
}

/** From now on the server acts on calls to these addresses, and its answers are lost. Gives a promise of its having acted. */
export async function loseAnswers(page: Page, address: string): Promise<{ readonly acted: Promise<void> }> {
  const { promise: acted, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await route.fetch();
    resolve();
  });
  return { acted };
}

/** Has the page's next look for its server answered as if a last answer came through while the network goes. */
export async function answerLastLook(page: Page): Promise<void> {
  await page.route('**/healthz', (route) => route.fulfill({ status: 200 }), { times: 1 });
}
