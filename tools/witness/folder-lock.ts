import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join, resolve } from 'node:path';

/** Maximum socket path on all systems. */
const LONGEST_PATH = 100;
/** Socket prefix; each process has its own socket. */
const NAME = 'lock';
/** Socket answers: holds the folder, still probing, or silent until the timeout. */
const [HOLDS, LOOKING, SILENT] = ['holds', 'looking', 'silent'];
/** Two timeouts in a row count as alive; one may be mere scheduling delay. */
const ANSWER_MS = 1_000;
/** Probing processes finish long before this limit. */
const MOST_LOOKS = 1_000;

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a folder until this process exits. Each process first listens on its own socket, then probes the others, so two
 * simultaneous starters never both win. Among probing processes the lowest socket name wins. Dead sockets are removed.
 * Throws if another process holds the lock.
 */
export async function lockFolder(dir: string): Promise<FolderLock> {
  const isHeld = new Error(`Another witness runs on the folder ${dir}. Two on one folder could answer differently.`);
  if (process.platform === 'win32') return lockPipe(dir, isHeld);
  const own = `${NAME}-${randomUUID().slice(0, 8)}`;
  const path = join(dir, own);
  if (Buffer.byteLength(path) > LONGEST_PATH)
    throw new Error(`The path of the folder is too long: ${path} must have at most ${LONGEST_PATH} bytes.`);
  let says = LOOKING;
  const server = await listenAt(path, () => says);
  if (!server) throw isHeld;
  try {
    const left = await aloneIn(dir, own);
    // A former holder may have removed this socket as dead.
    if (!left || !(await stat(path).catch(() => null))) throw isHeld;
    says = HOLDS;
    for (const name of left) await rm(join(dir, name), { force: true });
  } catch (error) {
    await close(server);
    throw error;
  }
  return { release: () => close(server) };
}

/** Returns dead sockets, or undefined if another process has precedence. */
async function aloneIn(dir: string, own: string): Promise<string[] | undefined> {
  let silent: readonly string[] = [];
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const others = (await readdir(dir)).filter((name) => name.startsWith(NAME) && name !== own);
    const said = await Promise.all(others.map((name) => answerOf(join(dir, name))));
    const saying = (what: string): string[] => others.filter((_name, nth) => said[nth] === what);
    const stillSilent = saying(SILENT).filter((name) => silent.includes(name));
    const before = saying(LOOKING).filter((name) => name < own);
    if (saying(HOLDS).length + stillSilent.length + before.length > 0) return undefined;
    // Succeeds only if every socket is dead; silent ones are probed again.
    if (said.every((one) => one === undefined)) return others;
    silent = saying(SILENT);
  }
  return undefined;
}

/** Windows allows one listener per pipe name. */
async function lockPipe(dir: string, isHeld: Error): Promise<FolderLock> {
  const server = await listenAt(
    String.raw`\\.\pipe\drawhouse-witness-${resolve(dir).replaceAll(/\W/g, '-')}`,
    () => HOLDS,
  );
  if (!server) throw isHeld;
  return { release: () => close(server) };
}

/** Undefined if the address is taken. Does not keep the process alive. */
function listenAt(path: string, says: () => string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(says());
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(undefined);
      else fail(error);
    });
    server.listen(path, () => done(server.unref()));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((done) => server.close(() => done()));
}

/** Undefined if nobody listens, empty if the peer vanished. */
function answerOf(path: string): Promise<string | undefined> {
  return new Promise((done) => {
    let [isThere, said] = [true, ''];
    const socket = connect(path).setTimeout(ANSWER_MS);
    socket.on('data', (bytes) => (said += bytes.toString()));
    socket.once('timeout', () => {
      // Data received in time may be queued behind the timer.
      setImmediate(() => {
        said ||= SILENT;
        socket.destroy();
      });
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ENOENT') isThere = false;
    });
    socket.once('close', () => done(isThere ? said : undefined));
  });
}
