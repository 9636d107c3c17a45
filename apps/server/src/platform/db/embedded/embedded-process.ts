import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';

export function isAlive(pid: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return stateOf(pid)?.state !== 'Z';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Includes the start time where available, because process ids are reused. */
export function nameOfProcess(pid: number): string {
  return [pid, stateOf(pid)?.beganAt].filter(Boolean).join(' ');
}

/** Reads /proc: state, with Z for a zombie, which containers may never reap; start time in ticks since boot. */
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

/** Kills children of a dead postmaster. Their shared memory blocks a new start. */
export function endOrphans(cluster: string): void {
  try {
    const home = realpathSync(cluster);
    for (const pid of readdirSync('/proc').map(Number)) if (pid && runsIn(pid, home)) process.kill(pid, 'SIGKILL');
  } catch {
    // Without /proc, orphans end on their own.
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

export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
  readonly prefix: readonly string[];
}

/** Keeps settings and secrets of the server from PostgreSQL. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const inherited = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * PostgreSQL refuses root, so root uses user `postgres`, created if missing. If that user cannot reach the folders,
 * such as below /root, it keeps only root's right to read files.
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
      // Otherwise access(), used by initdb to find its program, ignores the capability.
      '--securebits=+no_setuid_fixup',
      '--',
    ],
  };
}

export function ownerOf(runAs: RunAs): { uid: number; gid: number } | undefined {
  if (runAs.uid !== undefined) return { uid: runAs.uid, gid: runAs.gid! };
  const option = (name: string): string | undefined =>
    runAs.prefix.find((part) => part.startsWith(name))?.slice(name.length);
  const uid = option('--reuid=');
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(option('--regid=')) };
}

/** The file exists, so ENOENT means a missing dependency. */
export function whyNotRun({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOENT'
    ? 'The embedded PostgreSQL does not run on this system: glibc or setpriv is missing. Set DATABASE_URL to your own server.'
    : message;
}

export function launch(program: string, args: readonly string[], runAs: RunAs, output: 'pipe' | number): ChildProcess {
  const [command, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(command!, rest, {
    uid: runAs.uid,
    gid: runAs.gid,
    cwd: '/',
    // Separate process group: Ctrl-C reaches only the server, which stops PostgreSQL cleanly.
    detached: true,
    stdio: ['ignore', output, output],
    env: bareEnvironment(),
  });
}
