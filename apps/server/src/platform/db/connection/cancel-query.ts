import { connect } from 'node:net';
import type pg from 'pg';

const CANCEL_REQUEST = 80_877_102;

/** Throws the signal's reason. The connection stays usable. */
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
