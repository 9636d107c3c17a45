import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { SftpTarget } from '../../config/backup-settings.ts';
import { OWN_FILE } from '../../platform/db/embedded/durable-file.ts';
import { sendWithRename, type RemoteFolder } from './send-with-rename.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import { OtherHostKey, TransferFailed, type Destination } from './transfer-texts.ts';

/** Every server supports this read size. */
const CHUNK_BYTES = 32_768;
/** Pipelined, to hide latency. */
const AHEAD_BYTES = 64 * CHUNK_BYTES;

export function toSftp(target: SftpTarget): Destination {
  const { host, port, folder } = target;
  const named = host.includes(':') ? `[${host}]` : host;
  return {
    where: `sftp://${named}${port === 22 ? '' : `:${port}`}${folder.startsWith('/') ? folder : `/~/${folder}`}`,
    async send(sending) {
      const { work } = sending;
      const connection = await connectSftp(target, work.signal);
      try {
        const signal = AbortSignal.any([work.signal, connection.lost]);
        return await sendWithRename(farFolder(connection, folder), { ...sending, work: { ...work, signal } });
      } catch (error) {
        // Reports the lost connection rather than its consequences.
        throw connection.lost.aborted ? connection.lost.reason : error;
      } finally {
        connection.end();
      }
    },
  };
}

function farFolder(connection: SftpConnection, folder: string): RemoteFolder {
  const { ask } = connection;
  const at = (name: string): string => path.posix.join(folder, name);
  return {
    async list() {
      const entries = await ask<{ filename: string }[]>((sftp, answer) => sftp.readdir(folder, answer));
      return entries.map(({ filename }) => filename);
    },
    async freeBytes() {
      try {
        const found = await ask<{ f_bavail: number; f_frsize: number }>((sftp, answer) =>
          sftp.ext_openssh_statvfs(folder, answer),
        );
        return found.f_bavail * found.f_frsize;
      } catch {
        return undefined;
      }
    },
    write: (name) => writeAhead(connection, at(name)),
    read: (name, bytes) => Readable.from(readAhead(connection, at(name), bytes), { objectMode: false }),
    bytesOf: async (name) => (await ask<{ size: number }>((sftp, answer) => sftp.stat(at(name), answer))).size,
    rename: (from, to) => replace(connection, at(from), at(to)),
    remove: (name) => ask((sftp, answer) => sftp.unlink(at(name), answer)),
  };
}

function writeAhead({ ask }: SftpConnection, file: string): Writable {
  let handle: Buffer | undefined;
  let place = 0;
  const write = (chunk: Buffer): Promise<void> => {
    const from = place;
    place += chunk.length;
    return ask((sftp, answer) => sftp.write(handle!, chunk, 0, chunk.length, from, answer));
  };
  const close = async (): Promise<void> => {
    const opened = handle;
    handle = undefined;
    if (opened) await ask((sftp, answer) => sftp.close(opened, answer));
  };
  const then = (done: Promise<unknown>, call: (error?: Error | null) => void): void =>
    void done.then(() => call(), call);
  return new Writable({
    highWaterMark: AHEAD_BYTES,
    construct: (call) =>
      then(
        (async () => {
          handle = await ask<Buffer>((sftp, answer) => sftp.open(file, 'w', { mode: OWN_FILE }, answer));
        })(),
        call,
      ),
    write: (chunk: Buffer, _encoding, call) => then(write(chunk), call),
    writev: (chunks, call) => then(Promise.all(chunks.map(({ chunk }) => write(chunk as Buffer))), call),
    final: (call) =>
      then(
        (async () => {
          // fsync is an optional extension.
          await ask((sftp, answer) => sftp.ext_openssh_fsync(handle!, answer)).catch(() => {});
          await close();
        })(),
        call,
      ),
    destroy: (error, call) =>
      void close().then(
        () => call(error),
        () => call(error),
      ),
  });
}

async function* readAhead(connection: SftpConnection, file: string, bytes: number): AsyncGenerator<Buffer> {
  const { ask } = connection;
  const handle = await ask<Buffer>((sftp, answer) => sftp.open(file, 'r', answer));
  const pendingReads: Promise<Buffer>[] = [];
  let at = 0;
  try {
    while (at < bytes || pendingReads.length > 0) {
      for (; at < bytes && pendingReads.length * CHUNK_BYTES < AHEAD_BYTES; at += CHUNK_BYTES) {
        const chunk = readAt(connection, handle, at, Math.min(CHUNK_BYTES, bytes - at));
        // Awaited later, in order.
        chunk.catch(() => {});
        pendingReads.push(chunk);
      }
      yield await pendingReads.shift()!;
    }
  } finally {
    await ask((sftp, answer) => sftp.close(handle, answer)).catch(() => {});
  }
}

/** Servers may return less than requested. */
async function readAt({ ask }: SftpConnection, handle: Buffer, place: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  for (let got = 0; got < bytes;) {
    const from = got;
    const read = await ask<number>((sftp, answer) =>
      sftp.read(handle, buffer, from, bytes - from, place + from, answer),
    );
    if (read === 0) return buffer.subarray(0, got);
    got += read;
  }
  return buffer;
}

/** Atomic if supported, otherwise deletes first. */
async function replace({ ask }: SftpConnection, from: string, to: string): Promise<void> {
  try {
    await ask((sftp, answer) => sftp.ext_openssh_rename(from, to, answer));
  } catch (error) {
    if (!NOT_SUPPORTED.test((error as Error).message)) throw error;
    await ask((sftp, answer) => sftp.unlink(to, answer)).catch(() => {});
    await ask((sftp, answer) => sftp.rename(from, to, answer));
  }
}

const NOT_SUPPORTED = /does not support/;

const CONNECT_MS = 20_000;
/** A dead server is detected after four intervals. */
const ALIVE_EVERY_MS = 10_000;
const LET_GO_MS = 5_000;

type Answer<T> = (error: Error | undefined | null, value: T) => void;

interface SftpConnection {
  readonly ask: <T = void>(begin: (sftp: SFTPWrapper, answer: Answer<T>) => void) => Promise<T>;
  readonly lost: AbortSignal;
  end(): void;
}

/** Accepts only a pinned host key. Aborting closes the connection. */
export async function connectSftp(target: SftpTarget, signal: AbortSignal): Promise<SftpConnection> {
  const client = new Client();
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('close', () => lost.abort(new TransferFailed('the connection was lost')));
  const config = await configOf(target);
  signal.throwIfAborted();
  const giveUp = (): void => void client.destroy();
  signal.addEventListener('abort', giveUp);
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    lost.signal.addEventListener('abort', () => reject(problemOf(lost.signal.reason as Error)));
    client.on('ready', () => client.sftp((error, opened) => (error ? reject(error) : resolve(opened))));
    try {
      client.connect(config);
    } catch {
      reject(new TransferFailed(NO_KEY));
    }
  }).finally(() => signal.removeEventListener('abort', giveUp));
  const letGo = (): void => void setTimeout(giveUp, LET_GO_MS).unref();
  signal.addEventListener('abort', letGo);
  return {
    ask: (begin) =>
      new Promise((resolve, reject) => {
        const lose = (): void => reject(lost.signal.reason as Error);
        if (lost.signal.aborted) return lose();
        lost.signal.addEventListener('abort', lose);
        begin(sftp, (error, value) => {
          lost.signal.removeEventListener('abort', lose);
          if (error) reject(error);
          else resolve(value);
        });
      }),
    lost: lost.signal,
    end() {
      signal.removeEventListener('abort', letGo);
      client.end();
    },
  };
}

const NO_KEY =
  'the key in BACKUP_TRANSFER_KEY_FILE can’t be used: it is not a private key, or needs its passphrase as BACKUP_TRANSFER_SECRET';

async function configOf({ host, port, user, hostKeys, keyFile, secret }: SftpTarget): Promise<ConnectConfig> {
  const key =
    keyFile &&
    (await readFile(keyFile).catch((error: NodeJS.ErrnoException) => {
      throw new TransferFailed(`the key in BACKUP_TRANSFER_KEY_FILE can’t be read (${error.code})`);
    }));
  return {
    host,
    port,
    username: user,
    ...(key === undefined ? { password: secret } : { privateKey: key, passphrase: secret }),
    readyTimeout: CONNECT_MS,
    keepaliveInterval: ALIVE_EVERY_MS,
    hostVerifier(raw: Buffer) {
      const shown = `SHA256:${createHash('sha256').update(raw).digest('base64').replace(/=$/, '')}`;
      if (hostKeys.includes(shown)) return true;
      throw new OtherHostKey(shown);
    },
  };
}

function problemOf(error: Error & { level?: string }): Error {
  if (error.level === 'client-authentication')
    return new TransferFailed('it rejects the user with this password or key');
  if (error.level === 'client-timeout') return new TransferFailed('it does not answer');
  return error;
}
