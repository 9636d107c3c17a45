import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findProgram, install, isExecutable, missing, THIS_MACHINE } from './system-packages.ts';
import type { Machine, Need } from './system-packages.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];

const TESTS = 'The browser tests';
const CHROMIUM: Need = {
  tests: TESTS,
  name: 'Chromium',
  packages: { 'apt-get': 'chromium', apk: 'chromium', dnf: 'chromium' },
  or: 'set CHROMIUM_PATH to the program',
};
const FONT: Need = {
  tests: TESTS,
  name: 'a font',
  packages: { 'apt-get': 'fonts-dejavu-core', apk: 'font-dejavu', dnf: 'dejavu-sans-fonts' },
};
const SHELL: Need = {
  tests: TESTS,
  name: 'the headless shell of Chromium',
  packages: { 'apt-get': 'chromium-headless-shell' },
};

/** The browser for the browser tests: `CHROMIUM_PATH`, whatever that is, else the system's, else `undefined`. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['CHROMIUM_PATH'] || NAMES.map((name) => findProgram(name, env)).find(Boolean);
}

/**
 * The same engine without the windows of a browser, which takes two thirds of its processors: the system's, else `undefined`. Where
 * `CHROMIUM_PATH` says what is to be used, that is used alone.
 */
export function findHeadlessShell(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['CHROMIUM_PATH']) return undefined;
  return SHELL_NAMES.map((name) => findProgram(name, env)).find(Boolean);
}

/** The browser for the browser tests, as {@link findChromium} finds it, but throws where it cannot be run or there is none. */
export function requireChromium(env: NodeJS.ProcessEnv = process.env): string {
  const found = findChromium(env);
  if (!found) throw missing(CHROMIUM, env);
  if (!isExecutable(found)) throw new Error(`CHROMIUM_PATH is ${found}, which cannot be run.`);
  return found;
}

/**
 * The same, but installs one, and a font where the system has none, when this is root on a system whose package manager is known.
 * Throws where either is missing still. Installs the headless shell too where it can, and goes on without it where it can't.
 */
export function ensureChromium(machine: Machine = THIS_MACHINE): string {
  const { env } = machine;
  if (!findChromium(env)) install(CHROMIUM, machine);
  const chromium = requireChromium(env);
  if (!env['CHROMIUM_PATH'] && !findHeadlessShell(env)) install(SHELL, machine);
  // A browser without any font has no text that could be read or measured. Most packages of it bring one.
  if (!hasFont(env)) install(FONT, machine);
  if (!hasFont(env)) throw missing(FONT, env, 'one');
  return chromium;
}

/** Whether the system has a font: what fontconfig lists, or where its program is missing, what lies where it looks. Elsewhere than on Linux there always is one. */
function hasFont(env: NodeJS.ProcessEnv): boolean {
  if (process.platform !== 'linux') return true;
  const list = findProgram('fc-list', env);
  if (list) return spawnSync(list, { encoding: 'utf8', env }).stdout.trim() !== '';
  const {
    HOME = '',
    XDG_DATA_HOME = path.join(HOME, '.local/share'),
    XDG_DATA_DIRS = '/usr/local/share:/usr/share',
  } = env;
  const folders = [XDG_DATA_HOME, ...XDG_DATA_DIRS.split(':')].map((folder) => path.join(folder, 'fonts'));
  return [...folders, path.join(HOME, '.fonts')].some(holdsFont);
}

function holdsFont(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => /\.[ot]t[cf]$/i.test(name));
}
