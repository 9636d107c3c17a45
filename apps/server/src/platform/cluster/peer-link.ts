import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Every call is answered within ten seconds, so a slower peer hangs. */
const ANSWER_MS = 10_000;
const CHECK_EVERY_MS = 1_000;
/** After a failed connection, while its process restarts. */
const RETRY_MS = 250;
const REQUESTS_MAX = 50_000;

/** `untouched`: the peer never began it. `lost`: the connection broke first, so the outcome is unknown. */
export type PeerAnswer<Answer> = { readonly answer: Answer } | 'untouched' | 'full' | 'lost';

export interface Peer<Request, Answer> {
  ask(request: Request, answered: (answer: PeerAnswer<Answer>) => void): void;
  waiting(): number;
  drain(): Promise<void>;
  close(): void;
}

interface Sent<Answer> {
  readonly answered: (answer: PeerAnswer<Answer>) => void;
  readonly sinceMs: number;
}

/** Each line is a JSON array: all requests, or all answers, of one event-loop turn. */
type Item = readonly [id: number, content: unknown];
/** The stopping peer answers what it has begun and begins nothing more. Returned after the last request. */
const BYE = 'bye';
const GOODBYE = `${JSON.stringify(BYE)}\n`;
/** A hanging peer does not return {@link BYE}. */
const GOODBYE_MS = 1_000;
/** Answers a request that crossed with {@link BYE}. */
const NOT_BEGUN = 0;

/** Connects when first asked. Requests keep their order. */
export function createPeer<Request, Answer>(path: string): Peer<Request, Answer> {
  const sent = new Map<number, Sent<Answer>>();
  let last = 0;
  let socket: Socket | undefined;
  let push: ((item: Item) => void) | undefined;
  let awayUntilMs = -Infinity;
  let drained: PromiseWithResolvers<void> | undefined;

  function finish(id: number, outcome: PeerAnswer<Answer>): void {
    const found = sent.get(id);
    sent.delete(id);
    found?.answered(outcome);
    if (sent.size === 0) drained?.resolve();
  }

  function open(): void {
    const opened = connect(path);
    let isConnected = false;
    socket = opened;
    push = createLines(opened);
    opened.once('connect', () => (isConnected = true));
    opened.on('error', () => {});
    opened.once('close', () => {
      if (socket !== opened) return;
      socket = push = undefined;
      awayUntilMs = performance.now() + RETRY_MS;
      for (const id of sent.keys()) finish(id, isConnected ? 'lost' : 'untouched');
    });
    onLines(opened, (line) => {
      if (line === BYE) {
        push = undefined;
        // Behind the requests of this turn.
        setImmediate(() => opened.writable && opened.write(GOODBYE));
        return;
      }
      for (const [id, content] of line as readonly Item[])
        finish(id, content === NOT_BEGUN ? 'untouched' : { answer: content as Answer });
    });
  }

  const check = setInterval(() => {
    const [oldest] = sent.values();
    if (oldest && performance.now() - oldest.sinceMs > ANSWER_MS) socket?.destroy();
  }, CHECK_EVERY_MS).unref();

  return {
    ask(request, answered) {
      if (sent.size >= REQUESTS_MAX) return answered('full');
      const now = performance.now();
      if (!socket && now >= awayUntilMs) open();
      if (!push) return answered('untouched');
      sent.set(++last, { answered, sinceMs: now });
      return push([last, request]);
    },
    waiting: () => sent.size,
    async drain() {
      drained = Promise.withResolvers();
      if (sent.size > 0) await drained.promise;
    },
    close() {
      clearInterval(check);
      socket?.destroy();
    },
  };
}

export interface PeerServer {
  close(): Promise<void>;
}

export async function servePeers(
  path: string,
  handle: (request: unknown, answer: (answer: unknown) => void) => void,
): Promise<PeerServer> {
  const open = new Map<Socket, PromiseWithResolvers<void>>();
  const begun = new Set<Promise<void>>();
  let isClosing = false;

  function begin(request: unknown, push: (answer: unknown) => void): void {
    if (isClosing) return push(NOT_BEGUN);
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.add(promise);
    return handle(request, (answer) => {
      push(answer);
      begun.delete(promise);
      resolve();
    });
  }

  const server = createServer((socket) => {
    const push = createLines(socket);
    const parted = Promise.withResolvers<void>();
    open.set(socket, parted);
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      parted.resolve();
    });
    onLines(socket, (line) => {
      if (line === BYE) return parted.resolve();
      for (const [id, request] of line as readonly Item[]) begin(request, (answer) => push([id, answer]));
    });
  });
  await listenAt(server, path);
  return {
    async close() {
      isClosing = true;
      server.close();
      for (const socket of open.keys()) socket.write(GOODBYE);
      const parted = [...open.values()].map(({ promise }) => promise);
      await Promise.race([Promise.all(parted), once(AbortSignal.timeout(GOODBYE_MS), 'abort')]);
      await Promise.all(begun);
      // The answers of this turn are still to be written.
      await new Promise<void>((next) => setImmediate(next));
      for (const socket of open.keys()) socket.end();
    },
  };
}

/** Replaces the socket file of a killed process. `exclusive`: not shared by node:cluster. */
export async function listenAt(server: Server, path: string): Promise<void> {
  if (process.platform !== 'win32') await rm(path, { force: true });
  server.listen({ path, exclusive: true });
  await once(server, 'listening');
}

function createLines(socket: Socket): (item: Item) => void {
  let items: Item[] = [];
  return (item) => {
    if (items.push(item) > 1) return;
    setImmediate(() => {
      if (socket.writable) socket.write(`${JSON.stringify(items)}\n`);
      items = [];
    });
  };
}

function onLines(socket: Socket, hear: (line: unknown) => void): void {
  let rest: string[] = [];
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = text.split('\n');
    if (lines.length === 1) return void rest.push(text);
    const [first, last] = [rest.join('') + lines[0]!, lines.pop()!];
    rest = last === '' ? [] : [last];
    lines[0] = first;
    for (const line of lines) hear(JSON.parse(line));
  });
}
