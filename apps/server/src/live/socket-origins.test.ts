import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen, TestApp, type Network } from '../../test/harness.ts';

let t: TestApp;
let url: string;
let net: Network;
const open: Socket[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
  net = await t.network({ credit: 0 });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(() => t.close());

describe("another host's page", () => {
  const ofPage = (
    origin: string,
    transport: 'websocket' | 'polling',
    headers: Record<string, string> = {},
  ): Promise<string> => {
    const socket = io(url, {
      auth: { token: net.admin.token },
      transports: [transport],
      extraHeaders: { origin, ...headers },
      reconnection: false,
      forceNew: true,
    });
    open.push(socket);
    return new Promise((found) => {
      socket.on('connect', () => found('connected'));
      socket.on('connect_error', () => found('refused'));
    });
  };

  it.each(['websocket', 'polling'] as const)(
    'opens no socket by %s for foreign pages, but for its own page and programs',
    async (by) => {
      expect(await ofPage('https://elsewhere.example', by)).toBe('refused');
      expect(await ofPage('null', by)).toBe('refused');
      expect(await ofPage(url.replace('127.0.0.1', 'localhost'), by)).toBe('refused');
      expect(await ofPage(url, by)).toBe('connected');
      const forwarded = { 'x-forwarded-host': 'here.example' };
      expect(await ofPage('https://here.example', by, forwarded)).toBe('connected');
      expect(await ofPage(url, by, forwarded)).toBe('refused');
    },
  );
});
