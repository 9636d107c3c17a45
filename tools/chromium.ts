import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];

/** What a package manager is told first, how it installs, and what its package of a font is called. */
interface Manager {
  readonly first?: string;
  readonly install: string;
  readonly font: string;
  /** The package of the headless shell, where there is one. */
  readonly shell?: string;
}

const MANAGERS: Readonly<Record<string, Manager>> = {
  'apt-get': {
    first: 'apt-get update',
    install: 'apt-get install -y --no-install-recommends',
    font: 'fonts-dejavu-core',
    shell: 'chromium-headless-shell',
  },
  apk: { install: 'apk add --no-cache', font: 'font-dejavu' },
  dnf: { install: 'dnf install -y', font: 'dejavu-sans-fonts' },
};

/** What the browser tests need of the machine. */
interface Need {
  /** As a sentence calls it. */
  readonly name: string;
  readonly packageOf: (manager: Manager) => string | undefined;
  /** What else helps, where no package does. */
  readonly or?: string;
}

const CHROMIUM: Need = {
  name: 'Chromium',
  packageOf: () => 'chromium',
  or: 'set CHROMIUM_PATH to the program',
};
const FONT: Need = { name: 'a font', packageOf: ({ font }) => font };
const SHELL: Need = { name: 'the headless shell of Chromium', packageOf: ({ shell }) => shell };

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
export function ensureChromium(
  env: NodeJS.ProcessEnv = process.env,
  userId: () => number | undefined = () => process.getuid?.(),
  say: (line: string) => void = console.log,
): string {
  const install = (need: Need) => {
    if (userId() === 0) for (const command of commandsFor(need, env)) run(command, env, say);
  };
  if (!findChromium(env)) install(CHROMIUM);
  const chromium = requireChromium(env);
  if (!env['CHROMIUM_PATH'] && !findHeadlessShell(env)) install(SHELL);
  // A browser without any font has no text that could be read or measured. Most packages of it bring one.
  if (!hasFont(env)) install(FONT);
  if (!hasFont(env)) throw missing(FONT, env);
  return chromium;
}

/** What installs it here, in order; nothing where no package manager is known. */
function commandsFor(need: Need, env: NodeJS.ProcessEnv): string[] {
  const manager = Object.keys(MANAGERS).find((name) => findProgram(name, env));
  if (!manager) return [];
  const known = MANAGERS[manager]!;
  const name = need.packageOf(known);
  return name === undefined ? [] : [...(known.first ? [known.first] : []), `${known.install} ${name}`];
}

function run(command: string, env: NodeJS.ProcessEnv, say: (line: string) => void): void {
  say(`The browser tests lack something: ${command} …`);
  const shellEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8', env: shellEnv });
  if (status !== 0) say(`${stdout}${stderr}`.trim());
}

function missing(need: Need, env: NodeJS.ProcessEnv): Error {
  const commands = commandsFor(need, env).join(' && ');
  const how = [`install ${need === CHROMIUM ? 'it' : 'one'}${commands && ` (as root: ${commands})`}`, need.or];
  return new Error(`The browser tests need ${need.name}: ${how.filter(Boolean).join(', or ')}.`);
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

function findProgram(name: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
