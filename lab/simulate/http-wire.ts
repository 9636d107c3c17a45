import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Answer {
  readonly accepted: boolean;
  /** HTTP status; 0 without an answer and over sockets. */
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
}

export interface Sender {
  readonly username: string;
  token: string | undefined;
}

export interface Wire {
  join(sender: Sender): Promise<void>;
  /** Ready to send a bet. */
  readonly free: boolean;
  /** Calls `answer` once, later; NO_RESPONSE if none arrives. */
  bet(sender: Sender, body: string, answer: (answer: Answer) => void): void;
  close(): void;
}

export const ANSWER_MS = 10_000;

export const ACCEPTED: Answer = { accepted: true, status: 201, code: '', retryAfterMs: undefined };
export const NO_RESPONSE: Answer = { accepted: false, status: 0, code: 'NO_RESPONSE', retryAfterMs: undefined };

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly body: Buffer;
}

export interface HttpLines {
  readonly free: boolean;
  /** `head`: without connection and body headers. */
  ask(head: string, body: string, answer: (answer: HttpAnswer) => void): void;
  close(): void;
}

interface Line {
  socket: Socket | undefined;
  sentAtMs: number;
  answer: ((answer: HttpAnswer) => void) | undefined;
  received: Buffer | undefined;
}

const NOTHING: HttpAnswer = { status: 0, retryAfterMs: undefined, body: Buffer.alloc(0) };
const SWEEP_MS = 1_000;

/** Needs Content-Length. A full client takes several times the CPU, at the expense of a local server. */
export function createHttpLines(url: string, count: number): HttpLines {
  const { protocol, hostname, port, host } = new URL(url);
  const isTls = protocol === 'https:';
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 443 : 80)) };
  const lines = Array.from({ length: count }, (): Line => ({
    socket: undefined,
    sentAtMs: 0,
    answer: undefined,
    received: undefined,
  }));
  const idle = lines.toReversed();
  let closed = false;

  function finish(line: Line, answer: HttpAnswer): void {
    const { answer: tell } = line;
    if (!tell) return;
    line.answer = undefined;
    line.received = undefined;
    idle.push(line);
    tell(answer);
  }

  function open(line: Line): Socket {
    const socket = isTls ? connectTls({ ...target, servername: target.host }) : connectPlain(target);
    const lost = (): void => {
      if (line.socket !== socket) return;
      line.socket = undefined;
      finish(line, NOTHING);
    };
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      const all = line.received ? Buffer.concat([line.received, chunk]) : chunk;
      const read = readAnswer(all);
      if (read === undefined) line.received = all;
      else if (read === 'unreadable') socket.destroy();
      else {
        if (read.ends) {
          line.socket = undefined;
          socket.destroy();
        }
        finish(line, read);
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', lost);
    return socket;
  }

  const sweep = setInterval(() => {
    const tooOld = performance.now() - ANSWER_MS;
    for (const line of lines) if (line.answer && line.sentAtMs < tooOld) line.socket?.destroy();
  }, SWEEP_MS).unref();

  return {
    get free() {
      return idle.length > 0;
    },
    ask(head, body, answer) {
      const line = idle.pop();
      if (!line || closed) {
        queueMicrotask(() => answer(NOTHING));
        return;
      }
      line.answer = answer;
      line.sentAtMs = performance.now();
      line.socket ??= open(line);
      const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      line.socket.write(`${head}\r\nHost: ${host}\r\n${length}\r\n${body}`);
    },
    close() {
      closed = true;
      clearInterval(sweep);
      for (const { socket } of lines) socket?.destroy();
    },
  };
}

/** Undefined if incomplete. `ends`: the server closes the connection. */
export function readAnswer(received: Buffer): (HttpAnswer & { ends: boolean }) | 'unreadable' | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head);
  if (!length || !status) return 'unreadable';
  const from = end + 4;
  const to = from + Number(length[1]);
  if (received.length < to) return undefined;
  const seconds = /\r\nretry-after: *(\d+)/i.exec(head);
  return {
    status: Number(status[1]),
    retryAfterMs: seconds ? Number(seconds[1]) * 1000 : undefined,
    body: received.subarray(from, to),
    ends: /\r\nconnection: *close/i.test(head),
  };
}

export function createHttpWire(url: string, connections: number): Wire {
  const lines = createHttpLines(url, connections);
  const path = `${new URL(url).pathname.replace(/\/+$/, '')}/api/app/bet`;
  return {
    async join() {},
    get free() {
      return lines.free;
    },
    bet({ token }, body, answer) {
      const head = `POST ${path} HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
      lines.ask(head, body, (reply) => answer(reply.status === 201 ? ACCEPTED : refusalOf(reply)));
    },
    close: () => lines.close(),
  };
}

function refusalOf({ status, retryAfterMs, body }: HttpAnswer): Answer {
  if (status === 0) return NO_RESPONSE;
  let code = `HTTP_${status}`;
  try {
    code = (JSON.parse(body.toString()) as { code?: string }).code ?? code;
  } catch {
    // A proxy may answer anything.
  }
  return { accepted: false, status, code, retryAfterMs };
}
