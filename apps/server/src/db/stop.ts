import { connect } from 'node:net';
import type pg from 'pg';

/** The code of a request to cancel, in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;

/**
 * Asks on a connection until a signal: then PostgreSQL is told to stop, and the reason of the signal is thrown. The connection can be
 * used again.
 */
export async function stoppedBy<T>(
  signal: AbortSignal | undefined,
  client: pg.ClientBase,
  ask: () => Promise<T>,
): Promise<T> {
  if (!signal) return ask();
  signal.throwIfAborted();
  let told: Promise<void> | undefined;
  const stop = (): void => void (told = cancel(client));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await ask();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
    // Else it might stop what the connection is asked next.
    await told;
  }
}

/** What the driver knows of a connection and its types don't say. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** Tells PostgreSQL to stop what a connection runs; it ends when that is told. So it needs no other connection, and reaches through a pooler. */
function cancel(client: pg.ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Backend;
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    // Where it does not arrive, the time of the statement ends it.
    socket.on('error', () => {}).on('close', () => resolve());
    socket.setTimeout(CANCEL_MS, () => socket.destroy());
    socket.end(request);
    socket.resume();
  });
}

/** How long it may take to tell. */
const CANCEL_MS = 2_000;
