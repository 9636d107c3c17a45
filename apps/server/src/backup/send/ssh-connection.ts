import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'ssh2';
import type { ConnectConfig, SFTPWrapper } from 'ssh2';
import type { SftpTarget } from '../../config/transfer-target.ts';
import { OtherHostKey, TransferFailed } from './transfer-texts.ts';

const CONNECT_MS = 20_000;
/** A dead server is detected after four intervals. */
const ALIVE_EVERY_MS = 10_000;
/** Time to clean up after an abort. */
const LET_GO_MS = 5_000;

type Answer<T> = (error: Error | undefined | null, value: T) => void;

export interface SftpConnection {
  /** Rejects with the server's error, or on disconnect. */
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
