import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/** Gets about a tenth of a busy processor, or all of an idle one. */
const NICE = 10;
/** Linux accepts one autogroup request per tenth of a second from non-root users. */
const ASK_AGAIN = { afterMs: 150, times: 20 };

/**
 * Lowers the priority of the connection's PostgreSQL process. Never use it for work with row locks that others need.
 * Effective only on the same machine with permission, such as embedded PostgreSQL on Linux.
 */
export function lowerConnectionPriority(client: pg.ClientBase): void {
  const { processID, connection } = client as unknown as {
    readonly processID: number | null;
    readonly connection: { readonly stream: Pick<Socket, 'localPort'> };
  };
  if (process.platform !== 'linux' || !processID) return;
  // The pid may belong to another machine. The process title must contain this connection's port.
  const other = `(${connection.stream.localPort})`;
  const isOwnThread = (): boolean => {
    const title = readFileSync(`/proc/${processID}/cmdline`, 'latin1');
    return title.startsWith('postgres: ') && title.includes(other);
  };
  try {
    if (!isOwnThread()) return;
    setPriority(processID, Math.min(constants.priority.PRIORITY_LOW, getPriority(processID) + NICE));
    lowerGroup(processID, isOwnThread);
  } catch {
    // Keeps normal priority.
  }
}

/**
 * Autogroups share processors per session first, and each PostgreSQL process is its own session, so plain nice has no
 * effect. See sched(7), "The autogroup feature".
 */
function lowerGroup(pid: number, isOwnThread: () => boolean, times = ASK_AGAIN.times): void {
  try {
    if (isOwnThread()) writeFileSync(`/proc/${pid}/autogroup`, String(NICE), { flag: 'r+' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN' && times > 0)
      setTimeout(() => lowerGroup(pid, isOwnThread, times - 1), ASK_AGAIN.afterMs).unref();
  }
}
