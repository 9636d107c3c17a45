import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** What a package manager is told first, and how it installs. */
interface Manager {
  readonly first?: string;
  readonly install: string;
}

const MANAGERS = {
  'apt-get': { first: 'apt-get update', install: 'apt-get install -y --no-install-recommends' },
  apk: { install: 'apk add --no-cache' },
  dnf: { install: 'dnf install -y' },
} as const satisfies Readonly<Record<string, Manager>>;

/** What tests need of the machine. */
export interface Need {
  /** Which tests do, as a sentence begins with them. */
  readonly tests: string;
  /** As a sentence calls it. */
  readonly name: string;
  /** What its packages are called, by the package manager; none where there are none. */
  readonly packages: Readonly<Partial<Record<keyof typeof MANAGERS, string>>>;
  /** What else helps, where no package does. */
  readonly or?: string;
}

/** The machine that is to have something, and how it is told of. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly userId: () => number | undefined;
  readonly say: (line: string) => void;
}

/** The machine that this runs on. */
export const THIS_MACHINE: Machine = {
  env: process.env,
  userId: () => process.getuid?.(),
  say: console.log,
};

/** Installs what is needed when this is root on a system whose package manager is known and has it. */
export function install(need: Need, { env, userId, say }: Machine): void {
  if (userId() !== 0) return;
  for (const command of commandsFor(need, env)) {
    say(`${need.tests} lack something: ${command} …`);
    const shellEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8', env: shellEnv });
    if (status !== 0) say(`${stdout}${stderr}`.trim());
  }
}

/** What is said where it is missing: how it is installed here. `article` stands for it: it, one, them. */
export function missing(need: Need, env: NodeJS.ProcessEnv, article = 'it'): Error {
  const commands = commandsFor(need, env).join(' && ');
  const how = [`install ${article}${commands && ` (as root: ${commands})`}`, need.or];
  return new Error(`${need.tests} need ${need.name}: ${how.filter(Boolean).join(', or ')}.`);
}

/** What installs it here, in order; nothing where no package manager is known that has it. */
function commandsFor({ packages }: Need, env: NodeJS.ProcessEnv): string[] {
  const name = (Object.keys(MANAGERS) as (keyof typeof MANAGERS)[]).find((one) => findProgram(one, env));
  if (!name) return [];
  const names = packages[name];
  const { first, install: how }: Manager = MANAGERS[name];
  return names === undefined ? [] : [...(first ? [first] : []), `${how} ${names}`];
}

/** The path of a program that can be run; `undefined` where there is none in `PATH`. */
export function findProgram(name: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

/** Whether a file can be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
