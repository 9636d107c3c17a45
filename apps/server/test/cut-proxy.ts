import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What passes connections on to a port of this machine, and can cut them. */
export interface CutProxy {
  readonly port: number;
  /** Breaks off all that is connected. */
  cut(): void;
  close(): Promise<void>;
}

/** Makes one. */
export async function cutProxy(to: number): Promise<CutProxy> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
