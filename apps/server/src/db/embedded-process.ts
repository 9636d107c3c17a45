import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';

/** Whether a process is there and has not ended. */
export function isAlive(pid: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return stateOf(pid)?.state !== 'Z';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process as a file names it that outlives it: where the system tells when it began, also that, since numbers come again. */
export function nameOfProcess(pid: number): string {
  return [pid, stateOf(pid)?.beganAt].filter(Boolean).join(' ');
}

/**
 * What Linux knows of a process: its state, Z when it has ended and only waits for its parent to notice, which in a container may
 * be for ever; and when it began, in ticks since the machine did.
 */
function stateOf(pid: number): { state: string; beganAt: string } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state: fields[0]!, beganAt: fields[19]! };
  } catch {
    return undefined;
  }
}

/** Kills what a dead postmaster has left in its folder: a new one does not start while they hold its shared memory. */
export function endOrphans(cluster: string): void {
  try {
    const home = realpathSync(cluster);
    for (const pid of readdirSync('/proc').map(Number)) if (pid && runsIn(pid, home)) process.kill(pid, 'SIGKILL');
  } catch {
    // Only Linux tells where a process runs; elsewhere they end by themselves.
  }
}

function runsIn(pid: number, folder: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === folder && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    );
  } catch {
    return false;
  }
}

/** How to run a program as the user that PostgreSQL needs. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
  /** A program and its arguments to put in front of the command. */
  readonly prefix: readonly string[];
}

/** All of the environment that PostgreSQL's programs get: the settings of the server, secrets among them, are not theirs. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * PostgreSQL refuses to run as root, so as root it runs as the user `postgres`, made when missing. Where that user cannot
 * reach the folders (a clone below /root), it keeps root's right to read files, and nothing else of root's.
 */
export function serviceUser(folders: readonly string[]): RunAs {
  if (process.platform === 'win32' || userInfo().uid !== 0) return { prefix: [] };
  const env = bareEnvironment();
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { env, stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    idOf('-u');
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { env, stdio: 'ignore' });
  }
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  const reachable = [...folders, import.meta.dirname].every((folder) => {
    try {
      execFileSync('test', ['-x', folder], { uid, gid, env, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (reachable) return { uid, gid, prefix: [] };
  const capabilities = '+dac_override';
  return {
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=${capabilities}`,
      `--ambient-caps=${capabilities}`,
      // Without this the system call access(), by which initdb looks for its own program, would not count the right.
      '--securebits=+no_setuid_fixup',
      '--',
    ],
  };
}

/** The user that owns the files of the program, where it is another than this process's. */
export function ownerOf(runAs: RunAs): { uid: number; gid: number } | undefined {
  if (runAs.uid !== undefined) return { uid: runAs.uid, gid: runAs.gid! };
  const option = (name: string): string | undefined =>
    runAs.prefix.find((part) => part.startsWith(name))?.slice(name.length);
  const uid = option('--reuid=');
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(option('--regid=')) };
}

/** Why a program could not be started, and what to do. Its file is there: then it is what the file needs that is not. */
export function whyNotRun({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOENT'
    ? 'The embedded PostgreSQL does not run on this system, which has no glibc, or no setpriv. Set DATABASE_URL to a server of your own.'
    : message;
}

/** Starts a program of PostgreSQL. */
export function launch(program: string, args: readonly string[], runAs: RunAs, output: 'pipe' | number): ChildProcess {
  const [command, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(command!, rest, {
    uid: runAs.uid,
    gid: runAs.gid,
    cwd: '/',
    // A group of its own: Ctrl-C in the terminal reaches the server alone, which then stops PostgreSQL in good order.
    detached: true,
    stdio: ['ignore', output, output],
    env: bareEnvironment(),
  });
}
