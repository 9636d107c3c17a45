import { EventEmitter } from 'node:events';
import { BETS_MESSAGE_BYTES, SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import { describe, expect, it } from 'vitest';
import type { LiveSocket } from './live-socket.ts';
import { createSocketGate, type SocketGate } from './socket-gate.ts';

const LIMITS = { session: { perSecond: 5, burst: 200 }, handshake: { perSecond: 1, burst: 3 } };
const gateAt = (now: { ms: number } = { ms: 0 }, note: (why: string) => undefined = () => undefined): SocketGate =>
  createSocketGate({ clock: { now: () => new Date(now.ms) } }, LIMITS, false, note);

class Watched extends EventEmitter {
  readonly id = 'connection';
  readonly transport = { writable: true, maxHttpBufferSize: SOCKET_MESSAGE_BYTES };
  writeBuffer: unknown[] = [];
  isOpen = true;

  constructor(gate: SocketGate) {
    super();
    gate.watch(this);
  }
  close(): void {
    this.isOpen = false;
  }
  packets(most: number, data?: string | Buffer): number {
    for (let sent = 0; sent < most; sent++) {
      this.emit('packet', { data });
      if (!this.isOpen) return sent;
    }
    return most;
  }
  get socket(): LiveSocket {
    return { conn: this } as never;
  }
}

describe('a live connection', () => {
  it("is closed by a packet flood, a player's beyond what its bets need", () => {
    const gate = gateAt();
    const player = new Watched(gate);
    gate.admitBets(player.socket);
    expect(player.packets(1_000)).toBe(300);
    const noted: string[] = [];
    expect(new Watched(gateAt({ ms: 0 }, (why) => void noted.push(why))).packets(1_000)).toBe(100);
    expect(noted).toEqual(['flood']);
  });

  it('is closed sooner for larger messages', () => {
    const gate = gateAt();
    const player = new Watched(gate);
    gate.admitBets(player.socket);
    expect(player.packets(1_000, 'x'.repeat(BETS_MESSAGE_BYTES))).toBe(75);
    expect(new Watched(gateAt()).packets(1_000, Buffer.alloc(SOCKET_MESSAGE_BYTES))).toBe(100);
    expect(new Watched(gateAt()).packets(1_000, Buffer.alloc(SOCKET_MESSAGE_BYTES + 1))).toBe(50);
  });

  it('accepts larger messages only for bets, also after a transport upgrade', () => {
    const gate = gateAt();
    const [player, staff] = [new Watched(gate), new Watched(gate)];
    gate.admitBets(player.socket);
    expect(player.transport.maxHttpBufferSize).toBe(BETS_MESSAGE_BYTES);
    expect(staff.transport.maxHttpBufferSize).toBe(SOCKET_MESSAGE_BYTES);
    const upgraded = { socket: { _receiver: { _maxPayload: SOCKET_MESSAGE_BYTES } } };
    player.emit('upgrade', upgraded);
    expect(upgraded.socket._receiver._maxPayload).toBe(BETS_MESSAGE_BYTES);
  });

  it('stays open within the packet rate', () => {
    const now = { ms: 0 };
    const connection = new Watched(gateAt(now));
    for (let second = 0; second < 60; second++) {
      expect(connection.packets(20)).toBe(20);
      now.ms += 1_000;
    }
  });

  it('is closed if too much is unread; for players, answers count too', () => {
    const noted: string[] = [];
    const cutAt = (isPlayer: boolean): number => {
      const gate = gateAt({ ms: 0 }, (why) => void noted.push(why));
      const connection = new Watched(gate);
      if (isPlayer) gate.admitBets(connection.socket);
      for (let unread = 0; ; unread += 50) {
        connection.writeBuffer = Array.from({ length: unread + 1 });
        if (connection.packets(1) === 0) return unread;
      }
    };
    expect(cutAt(false)).toBe(50);
    expect(cutAt(true)).toBe(250);
    expect(noted).toEqual(['unread', 'unread']);
  });
});

describe('a handshake', () => {
  const from = (address: string, headers: object = {}) =>
    ({
      socket: { remoteAddress: address },
      headers: { host: 'here', ...headers },
      rawHeaders: ['Host', 'here'],
    }) as never;

  it('is limited per address', () => {
    const gate = gateAt();
    const refusals = (address: string): number =>
      Array.from({ length: 10 }, () => gate.refusalOfHandshake(from(address))).filter(Boolean).length;
    expect(refusals('192.0.2.1')).toBe(7);
    expect(refusals('192.0.2.2')).toBe(7);
    expect(() => gate.requireSignIn({ request: from('192.0.2.1') } as never)).toThrow(
      expect.objectContaining({ code: 'THROTTLED' }),
    );
    expect(gate.requireSignIn({ request: from('192.0.2.3') } as never)).toMatchObject({ ip: '192.0.2.3' });
  });

  it("from another host's page is refused", () => {
    const refusal = (origin: string) => gateAt().refusalOfHandshake(from('192.0.2.1', { origin }));
    expect(refusal('http://here')).toBeUndefined();
    expect(refusal('http://elsewhere')).toMatchObject({ why: 'foreign_origin' });
  });
});
