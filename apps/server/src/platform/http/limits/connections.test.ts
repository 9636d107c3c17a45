import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limitConnections } from './connections.ts';

describe('connections', () => {
  it('are limited per address, and closing one frees its place', async () => {
    const server = createServer((_request, response) => response.end('fine'));
    const refused: string[] = [];
    limitConnections(server, 2, (why) => void refused.push(why));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    const [first, second] = [await open(), await open()];
    const third = await open();
    await once(third, 'close');
    expect(refused).toEqual(['address_full']);
    const closed = once(first, 'close');
    first.end('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    first.resume();
    await closed;
    const fourth = await open();
    fourth.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    expect(String((await once(fourth, 'data'))[0])).toContain('200 OK');
    for (const socket of [second, fourth]) socket.destroy();
    server.close();
  });
});
