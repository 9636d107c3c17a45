import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveSocket } from '../sockets/live-socket.ts';
import type { PanelState } from '../panels/panel.ts';
import { enterRoom, leaveRoom, newRoom, type UpdateMode, type Room } from './room.ts';
import { nextSends } from './read-rooms.ts';

const FULL_EVERY_MS = 500;
const SOCKETS = 4;

class Client {
  readonly socket: LiveSocket;
  readonly #rooms = new Set<string>();
  readonly #transport = { writable: true };
  shows: bigint | undefined;
  fullAtMs = -Infinity;

  constructor(id: number) {
    this.socket = {
      id: String(id),
      rooms: this.#rooms,
      join: (name: string) => this.#rooms.add(name),
      leave: (name: string) => this.#rooms.delete(name),
      data: { behindSinceMs: undefined, fullAtMs: -Infinity },
      conn: { transport: this.#transport },
    } as never;
  }

  set busy(isBusy: boolean) {
    this.#transport.writable = !isBusy;
  }
  get busy(): boolean {
    return !this.#transport.writable;
  }
  mode(room: Room): UpdateMode | undefined {
    if (this.#rooms.has(room.names.changes)) return 'changes';
    return this.#rooms.has(room.names.wholes) ? 'wholes' : undefined;
  }
}

const panel = (stake: bigint, image: number): PanelState =>
  ({
    shown: { gameId: 'game', adminId: 'admin', family: 'numbers', digits: 10, draw: null },
    stakes: new Map([['1', stake]]),
    images: [String(image)],
  }) as never;

class Play {
  readonly room = newRoom({ networkId: 1, gameKey: 'game' });
  readonly clients = Array.from({ length: SOCKETS }, (_, id) => new Client(id));
  stake = 0n;
  image = 0;
  nowMs = 0;

  enter(who: number, mode: UpdateMode): void {
    const client = this.clients[who]!;
    client.shows = undefined;
    client.fullAtMs = -Infinity;
    enterRoom(client.socket, this.room, mode);
  }

  send(meanwhile: readonly number[]): string[] {
    const { room, clients, nowMs } = this;
    room.newcomers.clear();
    for (const who of meanwhile) this.enter(who, 'changes');
    const before = room.state?.stakes.get('1');
    const those = (mode: UpdateMode) => clients.filter((one) => one.mode(room) === mode).map(({ socket }) => socket);
    const members = { wholes: those('wholes'), changes: those('changes') };
    const { whole, change, passedOver } = nextSends(room, panel(this.stake, this.image), members, {
      nowMs,
      clockMs: nowMs,
    });
    const wrong: string[] = [];
    for (const [who, client] of clients.entries()) {
      const getsWhole = whole.includes(String(who));
      const getsChange = change !== null && client.mode(room) === 'changes' && !passedOver.has(String(who));
      if (!getsWhole && !getsChange) continue;
      if (getsWhole && getsChange) wrong.push(`${who} gets both`);
      if (client.busy) wrong.push(`${who} is busy`);
      if (meanwhile.includes(who)) wrong.push(`${who} came after the room was read`);
      if (client.mode(room) === undefined) wrong.push(`${who} has left`);
      if (getsChange && client.shows !== before) wrong.push(`${who} gets a change to what it does not have`);
      if (getsWhole && client.mode(room) === 'wholes') {
        if (nowMs - client.fullAtMs < FULL_EVERY_MS) wrong.push(`${who} gets the whole panel too often`);
        client.fullAtMs = nowMs;
      }
      client.shows = this.stake;
    }
    return wrong;
  }
}

const who = fc.nat(SOCKETS - 1);
const step = fc.oneof(
  fc.record({ enters: who, mode: fc.constantFrom<UpdateMode>('wholes', 'changes') }),
  fc.record({ leaves: who }),
  fc.record({ turns: who, busy: fc.boolean() }),
  fc.record({ stakes: fc.bigInt(1n, 9n) }),
  fc.constant('other images' as const),
  fc.record({ passMs: fc.constantFrom(125, 500) }),
  { weight: 3, arbitrary: fc.record({ sends: fc.array(who, { maxLength: 1 }) }) },
);

describe("a room's next message", () => {
  it('is a whole panel or a change, skips busy sockets, and finally brings everyone up to date', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const play = new Play();
        for (const each of steps)
          if (each === 'other images') play.image++;
          else if ('enters' in each) play.enter(each.enters, each.mode);
          else if ('leaves' in each) leaveRoom(play.clients[each.leaves]!.socket);
          else if ('turns' in each) play.clients[each.turns]!.busy = each.busy;
          else if ('stakes' in each) play.stake += each.stakes;
          else if ('passMs' in each) play.nowMs += each.passMs;
          else expect(play.send(each.sends)).toEqual([]);
        for (const client of play.clients) client.busy = false;
        play.nowMs += FULL_EVERY_MS;
        expect(play.send([])).toEqual([]);
        const inside = play.clients.filter((client) => client.mode(play.room) !== undefined);
        expect(inside.map(({ shows }) => shows)).toEqual(inside.map(() => play.stake));
        expect(inside.filter(({ socket }) => play.room.owed.has(socket))).toEqual([]);
      }),
    );
  });

  it('is omitted without changes, and numbers increase', () => {
    const play = new Play();
    play.enter(0, 'changes');
    const numbers = [0n, 0n, 1n, 1n, 2n].map((stake) => {
      play.stake = stake;
      play.send([]);
      return play.room.seq;
    });
    expect(numbers).toEqual([1, 1, 2, 2, 3]);
  });
});
