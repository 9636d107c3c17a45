import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs pgbench, which comes with PostgreSQL's own packages, on a database. Gives what it prints. */
export type Pgbench = (args: readonly string[]) => Promise<string>;

/** pgbench on a database. */
export function pgbenchOn(url: string): Pgbench {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = { ...process.env, PGPASSWORD: password };
  const target = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  return async (args) => {
    try {
      return (await run('pgbench', [...args, ...target], { env })).stdout;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT')
        throw new Error('pgbench is not installed; it comes with the packages of PostgreSQL (postgresql-contrib).', {
          cause: error,
        });
      throw error;
    }
  };
}

/** Transactions a second of its TPC-B-like script, each statement prepared, for so long on so many connections. */
export async function tpcb(pgbench: Pgbench, connections: number, seconds: number): Promise<number> {
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(Math.ceil(seconds))];
  return Number(/tps = ([\d.]+)/.exec(await pgbench(args))![1]);
}
