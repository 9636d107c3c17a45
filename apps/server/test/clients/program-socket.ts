import type { BetsAnswer } from '@drawhouse/contract/live/live';
import { io, type Socket } from 'socket.io-client';
import { expect } from 'vitest';

export const ADDRESS = '203.0.113.77';

interface Seen {
  readonly refused: { code: string; message: string }[];
  readonly closed: string[];
  readonly received: string[];
}

export async function programSocket(url: string, key: string): Promise<Socket & Seen> {
  const socket = io(url, {
    auth: { token: key },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { 'x-forwarded-for': ADDRESS },
  });
  const seen: Seen = { refused: [], closed: [], received: [] };
  socket.onAny((event) => event !== 'error' && seen.received.push(event));
  socket.on('error', (refusal) => void seen.refused.push(refusal));
  socket.on('disconnect', (reason) => void seen.closed.push(reason));
  socket.on('connect_error', (error) =>
    seen.refused.push({ code: (error as { data?: { code: string } }).data!.code, message: error.message }),
  );
  await expect.poll(() => socket.connected || seen.refused.length > 0).toBeTruthy();
  return Object.assign(socket, seen);
}

export function layBets(socket: Socket, bets: unknown): Promise<BetsAnswer> {
  return new Promise((resolve, reject) => {
    socket.on('disconnect', reject);
    socket.emit('bets', { bets }, resolve);
  });
}
