import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  findProgram,
  install,
  isExecutable,
  missing,
  THIS_MACHINE,
  type Machine,
  type Need,
} from './system-packages.ts';

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

/** Prefers `CHROMIUM_PATH` to the system's browser. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['CHROMIUM_PATH'] || NAMES.map((name) => findProgram(name, env)).find(Boolean);
}

/** Takes two thirds of the CPU. Never used if `CHROMIUM_PATH` is set. */
export function findHeadlessShell(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['CHROMIUM_PATH']) return undefined;
  return SHELL_NAMES.map((name) => findProgram(name, env)).find(Boolean);
}

export function requireChromium(env: NodeJS.ProcessEnv = process.env): string {
  const found = findChromium(env);
  if (!found) throw missing(CHROMIUM, env);
  if (!isExecutable(found)) throw new Error(`CHROMIUM_PATH is ${found}, which is not executable.`);
  return found;
}

/**
 * Also installs a font. Needs root and a known package manager. Throws if either is still missing. The headless shell
 * is optional.
 */
export function ensureChromium(machine: Machine = THIS_MACHINE): string {
  const { env } = machine;
  if (!findChromium(env)) install(CHROMIUM, machine);
  const chromium = requireChromium(env);
  if (!env['CHROMIUM_PATH'] && !findHeadlessShell(env)) install(SHELL, machine);
  // Text needs a font; most browser packages bring one.
  if (!hasFont(env)) install(FONT, machine);
  if (!hasFont(env)) throw missing(FONT, env, 'one');
  return chromium;
}

/** Asks fontconfig, or searches its folders. Systems other than Linux always have fonts. */
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

if (import.meta.main) ensureChromium();
