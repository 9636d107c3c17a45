import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { requireSshd } from '../../../../tools/testing/transfer-servers.ts';
import { startChild, type ChildServer } from './child-server.ts';
import { freePort } from './free-port.ts';

export interface SshServer extends ChildServer {
  readonly port: number;
  readonly user: string;
  readonly hostKey: string;
  /** Private keys it accepts: plain, and locked by {@link PASSPHRASE}. */
  readonly keyFile: string;
  readonly lockedKeyFile: string;
}

export const PASSPHRASE = 'open, please';

export async function startSshServer(dir: string): Promise<SshServer> {
  const { sshd, keygen } = requireSshd();
  const makeKey = (name: string, passphrase = ''): string => {
    const file = path.join(dir, name);
    execFileSync(keygen, ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file]);
    return file;
  };
  const [host, keyFile, lockedKeyFile] = [makeKey('host'), makeKey('user'), makeKey('locked', PASSPHRASE)];
  const keys = path.join(dir, 'authorized_keys');
  await copyFile(`${keyFile}.pub`, keys);
  const locked = execFileSync(keygen, ['-y', '-P', PASSPHRASE, '-f', lockedKeyFile], { encoding: 'utf8' });
  await writeFile(keys, locked, { flag: 'a' });
  const config = path.join(dir, 'sshd_config');
  const lines = [
    `HostKey ${host}`,
    `AuthorizedKeysFile ${keys}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'Subsystem sftp internal-sftp',
  ];
  // Privilege separation, as root.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  const start = async (): Promise<ChildServer & { readonly port: number }> => {
    const port = await freePort();
    await writeFile(config, `${[`ListenAddress 127.0.0.1:${port}`, ...lines].join('\n')}\n`);
    try {
      return { ...(await startChild(sshd, ['-D', '-e', '-f', config], port, `Server listening on 127.0.0.1`)), port };
    } catch (error) {
      if ((error as Error).message.includes('Address already in use')) return start();
      throw error;
    }
  };
  const server = await start();
  const fingerprint = execFileSync(keygen, ['-l', '-f', `${host}.pub`], { encoding: 'utf8' });
  return { ...server, user: userInfo().username, hostKey: fingerprint.split(' ')[1]!, keyFile, lockedKeyFile };
}
