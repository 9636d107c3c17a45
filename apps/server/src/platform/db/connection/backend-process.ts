import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type pg from 'pg';

const CANCEL_REQUEST = 80_877_102;

/** The connection stays usable. */
export async function cancelOnAbort<T>(
  signal: AbortSignal | undefined,
  client: pg.ClientBase,
  ask: () => Promise<T>,
): Promise<T> {
  if (!signal) return ask();
  signal.throwIfAborted();
  let canceled: Promise<void> | undefined;
  const stop = (): void => void (canceled = cancel(client));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await ask();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
    // A late cancel could hit the next statement.
    await canceled;
  }
}

interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** Uses the same address, so it works through poolers. */
function cancel(client: pg.ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Backend;
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.on('error', () => {}).on('close', () => resolve());
    socket.setTimeout(CANCEL_MS, () => socket.destroy());
    socket.end(request);
    socket.resume();
  });
}

const CANCEL_MS = 2_000;

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
