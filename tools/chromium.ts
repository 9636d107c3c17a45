import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** How each package manager installs Chromium, for a machine that has none. */
const INSTALLERS: Readonly<Record<string, readonly string[]>> = {
  'apt-get': ['apt-get update', 'apt-get install -y --no-install-recommends chromium'],
  apk: ['apk add --no-cache chromium'],
  dnf: ['dnf install -y chromium'],
};

/** The browser for the browser tests: `CHROMIUM_PATH`, else the system's, else `undefined`. Throws on a wrong path. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: given } = env;
  if (given && !isExecutable(given)) throw new Error(`CHROMIUM_PATH is ${given}, which cannot be run.`);
  return given || NAMES.map((name) => findProgram(name, env)).find(Boolean);
}

/** The same, but installs one when this is root on a system whose package manager is known, and throws without one. */
export function ensureChromium(
  env: NodeJS.ProcessEnv = process.env,
  userId: () => number | undefined = () => process.getuid?.(),
  say: (line: string) => void = console.log,
): string {
  const found = findChromium(env);
  if (found) return found;
  const manager = Object.keys(INSTALLERS).find((name) => findProgram(name, env));
  if (manager && userId() === 0) {
    for (const command of INSTALLERS[manager]!) {
      say(`No Chromium found: ${command} …`);
      const shellEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
      const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8', env: shellEnv });
      if (status !== 0) say(`${stdout}${stderr}`.trim());
    }
  }
  const installed = findChromium(env);
  if (installed) return installed;
  throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH to the program.');
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
