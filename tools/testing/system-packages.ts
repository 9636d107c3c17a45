import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

interface Manager {
  readonly first?: string;
  readonly install: string;
}

const MANAGERS = {
  'apt-get': { first: 'apt-get update', install: 'apt-get install -y --no-install-recommends' },
  apk: { install: 'apk add --no-cache' },
  dnf: { install: 'dnf install -y' },
} as const satisfies Readonly<Record<string, Manager>>;

export interface Need {
  readonly tests: string;
  readonly name: string;
  readonly packages: Readonly<Partial<Record<keyof typeof MANAGERS, string>>>;
  readonly or?: string;
}

export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly userId: () => number | undefined;
  readonly print: (line: string) => void;
}

export const THIS_MACHINE: Machine = {
  env: process.env,
  userId: () => process.getuid?.(),
  print: console.log,
};

/** Works only as root with a known package manager. */
export function install(need: Need, { env, userId, print }: Machine): void {
  if (userId() !== 0) return;
  for (const command of commandsFor(need, env)) {
    print(`${need.tests} are missing something: ${command} …`);
    const shellEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: 'utf8', env: shellEnv });
    if (status !== 0) print(`${stdout}${stderr}`.trim());
  }
}

/** `article`: it, one, them. */
export function missing(need: Need, env: NodeJS.ProcessEnv, article = 'it'): Error {
  const commands = commandsFor(need, env).join(' && ');
  const how = [`install ${article}${commands && ` (as root: ${commands})`}`, need.or];
  return new Error(`${need.tests} need ${need.name}: ${how.filter(Boolean).join(', or ')}.`);
}

function commandsFor({ packages }: Need, env: NodeJS.ProcessEnv): string[] {
  const name = (Object.keys(MANAGERS) as (keyof typeof MANAGERS)[]).find((one) => findProgram(one, env));
  if (!name) return [];
  const names = packages[name];
  const { first, install: how }: Manager = MANAGERS[name];
  return names === undefined ? [] : [...(first ? [first] : []), `${how} ${names}`];
}

export function findProgram(name: string, { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
