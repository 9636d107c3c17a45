import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join, resolve } from 'node:path';

/** The longest path of a socket that every system takes. */
const LONGEST_PATH = 100;
/** The sockets of a folder begin with it, each process has its own. */
const NAME = 'lock';
/** What a process says to whoever connects: it holds the folder, or is only looking whether it is alone. SILENT stands for what it does not say in time. */
const [HOLDS, LOOKING, SILENT] = ['holds', 'looking', 'silent'];
/** Whoever listens and says nothing for so long, twice, lives all the same: once it may only be that it, or this process, had no turn. */
const ANSWER_MS = 1_000;
/** What only looks has gone, or holds the folder, long before it was asked so often. */
const MOST_LOOKS = 1_000;

/** Holds a folder for one process. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Holds a folder for this process until it ends, however it ends: each listens on a socket of its own in the folder first, and looks then whether anybody listens on another one.
 * Of two that come at once the later one to look sees the earlier one, so never both hold it; of all that only look the one whose socket comes first goes on. What killed processes left answers
 * nobody, and is removed by whoever holds the folder. Throws a sentence where another process holds it.
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
    // Whoever held the folder when this one came, and is gone since, may have taken its socket for one that was left.
    if (!left || !(await stat(path).catch(() => null))) throw isHeld;
    says = HOLDS;
    for (const name of left) await rm(join(dir, name), { force: true });
  } catch (error) {
    await close(server);
    throw error;
  }
  return { release: () => close(server) };
}

/** Waits until nobody else listens in a folder. Gives the sockets that were left there; undefined where somebody holds it, or goes on before. */
async function aloneIn(dir: string, own: string): Promise<string[] | undefined> {
  let silent: readonly string[] = [];
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const others = (await readdir(dir)).filter((name) => name.startsWith(NAME) && name !== own);
    const said = await Promise.all(others.map((name) => answerOf(join(dir, name))));
    const saying = (what: string): string[] => others.filter((_name, nth) => said[nth] === what);
    const stillSilent = saying(SILENT).filter((name) => silent.includes(name));
    const before = saying(LOOKING).filter((name) => name < own);
    if (saying(HOLDS).length + stillSilent.length + before.length > 0) return undefined;
    // Only where nobody listens on any of them: what was silent or has gone meanwhile is looked at again.
    if (said.every((one) => one === undefined)) return others;
    silent = saying(SILENT);
  }
  return undefined;
}

/** On Windows the system itself has one process at most listen by a name. */
async function lockPipe(dir: string, isHeld: Error): Promise<FolderLock> {
  const server = await listenAt(
    String.raw`\\.\pipe\drawhouse-witness-${resolve(dir).replaceAll(/\W/g, '-')}`,
    () => HOLDS,
  );
  if (!server) throw isHeld;
  return { release: () => close(server) };
}

/** Listens there, and says something to whoever comes; undefined where somebody listens already. It alone keeps no process running. */
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

/** What whoever listens at a path says, nothing where it went meanwhile; undefined where nobody does, which the system alone can tell. */
function answerOf(path: string): Promise<string | undefined> {
  return new Promise((done) => {
    let [isThere, said] = [true, ''];
    const socket = connect(path).setTimeout(ANSWER_MS);
    socket.on('data', (bytes) => (said += bytes.toString()));
    socket.once('timeout', () => {
      // What came in time may wait behind the timer to be read.
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
