import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { SftpTarget } from '../../config/transfer-target.ts';
import { OWN_FILE } from '../../platform/db/embedded/durable-file.ts';
import { sendWithRename } from './send-with-rename.ts';
import type { RemoteFolder } from './send-with-rename.ts';
import { connectSftp } from './ssh-connection.ts';
import type { SftpConnection } from './ssh-connection.ts';
import type { Destination } from './transfer-texts.ts';

/** Every server supports this read size. */
const CHUNK_BYTES = 32_768;
/** Pipelined bytes in flight, to hide latency. */
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
        // Not every server reports it.
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
  const coming: Promise<Buffer>[] = [];
  let at = 0;
  try {
    while (at < bytes || coming.length > 0) {
      for (; at < bytes && coming.length * CHUNK_BYTES < AHEAD_BYTES; at += CHUNK_BYTES) {
        const chunk = readAt(connection, handle, at, Math.min(CHUNK_BYTES, bytes - at));
        // Awaited later, in order.
        chunk.catch(() => {});
        coming.push(chunk);
      }
      yield await coming.shift()!;
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
