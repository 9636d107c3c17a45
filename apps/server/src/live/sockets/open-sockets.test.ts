import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import type { LiveSocket } from './live-socket.ts';
import { createOpenSockets, type OpenSockets } from './open-sockets.ts';

const present = new Set<string>();
let sockets: OpenSockets;

beforeEach(() => {
  present.clear();
  sockets = createOpenSockets({
    opened: (sessionId) => void present.add(sessionId),
    closed: (sessionId) => void present.delete(sessionId),
  });
});

class Tab extends EventEmitter {
  readonly emitted: string[] = [];
  readonly data: object;

  constructor(sessionId: string, ...chain: string[]) {
    super();
    this.data = { token: sessionId, session: { id: sessionId, actor: { chain } }, noteRefusal: () => '1' };
    this.keep();
  }
  protected keep(): void {
    sockets.add(this as unknown as LiveSocket);
  }
  override emit(event: string, ...args: { code: string }[]): boolean {
    if (event !== 'error') return super.emit(event, ...args);
    this.emitted.push(args[0]!.code);
    return true;
  }
  disconnect(): void {
    this.emit('disconnect');
  }
}

class OfProgram extends Tab {
  protected override keep(): void {
    sockets.addProgram(this as unknown as LiveSocket);
  }
}

it('an API key has up to 64 sockets, outside any session', () => {
  const programs = Array.from({ length: 65 }, () => new OfProgram('key'));
  expect(programs.filter(({ emitted }) => emitted.length > 0)).toEqual([programs[0]]);
  expect(new OfProgram('other').emitted).toEqual([]);
  programs.at(-1)!.disconnect();
  new OfProgram('key');
  expect(programs[1]!.emitted).toEqual([]);
  expect([...present, ...sockets.sessionIds(), ...sockets.of(['key'])]).toEqual([]);
});

it('a session is present from its first socket to the last close', () => {
  const [first, second] = [new Tab('a'), new Tab('a')];
  new Tab('b');
  expect([...present]).toEqual(['a', 'b']);
  first.disconnect();
  expect(sockets.of(['a', 'nobody'])).toEqual([second]);
  expect([...present]).toEqual(['a', 'b']);
  second.disconnect();
  expect([...present]).toEqual(['b']);
  expect(sockets.sessionIds()).toEqual(['b']);
});

it('a session has six sockets: another closes the oldest, with a reason', () => {
  const tabs = Array.from({ length: 8 }, () => new Tab('a'));
  expect(tabs.map(({ emitted }) => emitted.join(' '))).toEqual([
    ...Array.from({ length: 2 }, () => 'TOO_MANY_SOCKETS'),
    ...Array.from({ length: 6 }, () => ''),
  ]);
  expect(sockets.of(['a'])).toEqual(tabs.slice(2));
  expect([...present]).toEqual(['a']);
});

it('finds the sockets of an account and its subtree', () => {
  const [above, below] = [new Tab('a', 'top', 'one'), new Tab('b', 'top', 'one', 'two')];
  new Tab('c', 'top', 'other');
  expect(sockets.below('one')).toEqual([above, below]);
  expect(sockets.below('two')).toEqual([below]);
});
