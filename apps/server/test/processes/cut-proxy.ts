import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CutProxy {
  readonly port: number;
  readonly held: Promise<void>;
  cut(): void;
  close(): Promise<void>;
}

/** `until`: server output after which nothing passes. */
export async function cutProxy(to: number, until?: string): Promise<CutProxy> {
  const open = new Set<Socket>();
  const { promise: holding, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  const hold = (): void => {
    isHeld = true;
    for (const socket of open) socket.unpipe().pause();
    resolve();
  };
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    if (isHeld) return;
    near.pipe(far).pipe(near);
    if (until !== undefined) far.on('data', (chunk: Buffer) => void (chunk.includes(until) && hold()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    held: holding,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
