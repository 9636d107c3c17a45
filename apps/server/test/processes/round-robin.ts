import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Gives each connection to the next server, like node:cluster. */
export async function startRoundRobin(urls: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer((client) => {
    const { hostname, port } = new URL(urls[next++ % urls.length]!);
    const target = connect(Number(port), hostname);
    for (const [one, another] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        open.delete(one);
        another.destroy();
      });
      one.pipe(another);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
