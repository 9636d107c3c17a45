import WebSocket from 'ws';
import { ACCEPTED, ANSWER_MS, NO_RESPONSE, type Answer, type Sender, type Wire } from './http-wire.ts';

/** Prefixes of Engine.IO 4 and Socket.IO 5 packets. */
export const PACKET = {
  open: '0',
  ping: '2',
  pong: '3',
  welcome: '40',
  left: '41',
  event: '42',
  ack: '43',
  refused: '44',
};
const SWEEP_MS = 1_000;
const WELCOME_MS = 10_000;

interface Line {
  readonly socket: WebSocket;
  /** Keyed by acknowledgment number. */
  readonly waiting: Map<number, { sentAtMs: number; answer: (answer: Answer) => void }>;
  next: number;
}

export class NotLetIn extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Opens one socket per player. Socket.IO's own client takes several times the CPU, at the expense of a local server.
 */
export function createSocketWire(url: string): Wire {
  const lines = new Map<Sender, Line>();
  let closed = false;

  const sweep = setInterval(() => {
    const tooOld = performance.now() - ANSWER_MS;
    for (const line of lines.values())
      for (const [number, { sentAtMs, answer }] of line.waiting)
        if (sentAtMs < tooOld) {
          line.waiting.delete(number);
          answer(NO_RESPONSE);
        }
  }, SWEEP_MS).unref();

  function receive(sender: Sender, line: Line, text: string): void {
    if (text === PACKET.ping) line.socket.send(PACKET.pong);
    else if (text.startsWith(PACKET.ack)) {
      const from = text.indexOf('[');
      const number = Number(text.slice(PACKET.ack.length, from));
      const bet = line.waiting.get(number);
      if (!bet) return;
      line.waiting.delete(number);
      bet.answer(answerOf(text.slice(from)));
    } else if (text.startsWith(PACKET.left)) leave(sender, line);
  }

  function leave(sender: Sender, line: Line): void {
    if (lines.get(sender) === line) lines.delete(sender);
    line.socket.terminate();
    const bets = [...line.waiting.values()];
    line.waiting.clear();
    for (const { answer } of bets) answer(NO_RESPONSE);
  }

  return {
    async join(sender) {
      const old = lines.get(sender);
      if (old) leave(sender, old);
      const socket = await letIn(url, sender.token ?? '');
      if (closed) return socket.terminate();
      const line: Line = { socket, waiting: new Map(), next: 0 };
      lines.set(sender, line);
      socket.on('message', (data: Buffer) => receive(sender, line, data.toString()));
      socket.on('error', () => {});
      socket.on('close', () => leave(sender, line));
    },
    get free() {
      return !closed;
    },
    bet(sender, body, answer) {
      const line = lines.get(sender);
      if (!line) {
        queueMicrotask(() => answer(NO_RESPONSE));
        return;
      }
      const number = line.next++;
      line.waiting.set(number, { sentAtMs: performance.now(), answer });
      line.socket.send(`${PACKET.event}${number}["bet",${body}]`);
    },
    close() {
      closed = true;
      clearInterval(sweep);
      for (const [sender, line] of lines) leave(sender, line);
    },
  };
}

/** Opens a socket without listeners. `from`: local address. */
export function letIn(url: string, token: string, from?: string): Promise<WebSocket> {
  const address = new URL('/socket.io/?EIO=4&transport=websocket', url);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address, {
    perMessageDeflate: false,
    handshakeTimeout: WELCOME_MS,
    ...(from !== undefined && { localAddress: from }),
  });
  return new Promise((resolve, reject) => {
    const fail = (code: string, message: string): void => {
      clearTimeout(late);
      socket.terminate();
      reject(new NotLetIn(code, message));
    };
    const late = setTimeout(() => fail('NO_RESPONSE', 'The server let no socket in.'), WELCOME_MS);
    socket.on('error', (error) => fail('NO_RESPONSE', error.message));
    socket.on('close', () => fail('NO_RESPONSE', 'The server closed the socket.'));
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith(PACKET.refused)) {
        const { message, data: more } = JSON.parse(text.slice(2)) as { message: string; data?: { code?: string } };
        fail(more?.code ?? 'UNKNOWN', message);
      } else if (text.startsWith(PACKET.welcome)) {
        clearTimeout(late);
        socket.removeAllListeners();
        resolve(socket);
      } else if (text.startsWith(PACKET.open)) socket.send(`${PACKET.welcome}${JSON.stringify({ token })}`);
    });
  });
}

/** Does not decode accepted bets further. */
export function answerOf(text: string): Answer {
  if (text.startsWith('[{"success":true')) return ACCEPTED;
  const [answer] = JSON.parse(text) as [{ success?: boolean; code?: string; retryAfter?: number } | undefined];
  if (answer?.success) return ACCEPTED;
  const { code = 'UNKNOWN', retryAfter } = answer ?? {};
  return { accepted: false, status: 0, code, retryAfterMs: retryAfter === undefined ? undefined : retryAfter * 1000 };
}
