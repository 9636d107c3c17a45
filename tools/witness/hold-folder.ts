import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join, resolve } from 'node:path';

/** The longest path of a socket that every system takes. */
const LONGEST_PATH = 100;

/**
 * Holds a folder for this process until it ends, however it ends, by a socket in it on which it listens; answers what gives it back. Throws a
 * sentence where another process holds it: two witnesses on one folder could cosign two trees.
 */
export async function holdFolder(dir: string): Promise<() => Promise<void>> {
  const isPipe = process.platform === 'win32';
  const path = isPipe
    ? String.raw`\\.\pipe\drawhouse-witness-${resolve(dir).replaceAll(/\W/g, '-')}`
    : join(dir, 'lock');
  if (!isPipe && Buffer.byteLength(path) > LONGEST_PATH)
    throw new Error(`The path of the folder is too long: ${path} must have at most ${LONGEST_PATH} bytes.`);
  let server = await listen(path);
  if (!server && !(await isAnswered(path))) {
    // Whoever listened there was killed.
    await rm(path, { force: true });
    server = await listen(path);
  }
  if (!server) throw new Error(`Another witness runs on the folder ${dir}. Two on one folder could cosign two trees.`);
  server.unref();
  const held = server;
  return () => new Promise((done) => held.close(() => done()));
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : fail(error),
    );
    server.listen(path, () => done(server));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('close', () => socket.destroy());
  });
}
