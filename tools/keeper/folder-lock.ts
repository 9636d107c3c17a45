import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join, resolve } from 'node:path';

/** The longest path of a socket that every system takes. */
const LONGEST_PATH = 100;

/** Holds a folder for one process. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Holds a folder for this process until it ends, however it ends: a socket in the folder on which it listens. What a killed process left
 * there answers nobody, and is taken over. Throws a sentence where another process holds the folder.
 */
export async function lockFolder(dir: string): Promise<FolderLock> {
  const isPipe = process.platform === 'win32';
  const path = isPipe
    ? String.raw`\\.\pipe\drawhouse-keeper-${resolve(dir).replaceAll(/\W/g, '-')}`
    : join(dir, 'lock');
  if (!isPipe && Buffer.byteLength(path) > LONGEST_PATH)
    throw new Error(`The path of the folder is too long: ${path} must have at most ${LONGEST_PATH} bytes.`);
  const server = (await listenAt(path)) ?? (await takeOver(path));
  if (!server) throw new Error(`Another keeper runs on the folder ${dir}. Two on one folder could answer differently.`);
  // It alone keeps no process running.
  server.unref();
  return { release: () => new Promise((done) => server.close(() => done())) };
}

/** Listens there; undefined where something is there already. */
function listenAt(path: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(undefined);
      else fail(error);
    });
    server.listen(path, () => done(server));
  });
}

/** Takes the place of a process that was killed; undefined where it lives. */
async function takeOver(path: string): Promise<Server | undefined> {
  if (await isAnswered(path)) return undefined;
  // Another one that starts now may have taken it over meanwhile: what is put aside is looked at again before it is removed.
  const aside = `${path}-${randomUUID().slice(0, 8)}`;
  await rename(path, aside).catch(ignoreMissing);
  if (await isAnswered(aside)) {
    await rename(aside, path);
    return undefined;
  }
  await rm(aside, { force: true });
  return listenAt(path);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
