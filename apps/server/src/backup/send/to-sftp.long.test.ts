import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cutProxy } from '../../../test/processes/cut-proxy.ts';
import { sampleBackup, type SampleBackup } from '../../../test/backups/sample-backup.ts';
import { PASSPHRASE, startSshServer, type SshServer } from '../../../test/processes/ssh-server.ts';
import { transferWork } from '../../../test/backups/transfer-work.ts';
import type { SftpTarget } from '../../config/backup-settings.ts';
import { createArchive } from '../take/archive/archive.ts';
import { connectSftp } from './to-sftp.ts';
import { createTransferring } from './transfer-backup.ts';

let dir: string;
let folder: string;
let server: SshServer;
let backup: SampleBackup;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sftp-'));
  server = await startSshServer(dir);
  backup = await sampleBackup(path.join(dir, 'backups'), { sizes: { accounts: 0, tickets: 5_000_000 } });
});
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(dir, 'far-'));
});

function target(change: Partial<SftpTarget> = {}): SftpTarget {
  const { port, user, keyFile, hostKey } = server;
  const here = { kind: 'sftp', host: '127.0.0.1', port, user, folder, hostKeys: [hostKey], keyFile } as const;
  return { ...here, secret: undefined, ...change };
}

function send(change: Partial<SftpTarget> = {}, work = transferWork()) {
  const transferring = createTransferring(target(change))!;
  return transferring.send(backup.folder, `anna-${backup.name}.zip`, work);
}

describe('a transfer by SFTP', () => {
  it('uploads the archive, again if asked, and removes earlier leftovers', async () => {
    const left = ['anna', 'ben'].map((username) => `${username}-2026-01-02T03-04-05Z-abcdef.zip.part`);
    for (const name of left) await writeFile(path.join(folder, name), 'half');
    const name = `anna-${backup.name}.zip`;
    for (const _time of [1, 2]) {
      const work = transferWork();
      const { bytes, where } = await send({}, work);
      expect(where).toBe(`sftp://127.0.0.1:${server.port}${folder}/${name}`);
      const arrived = await readFile(path.join(folder, name));
      expect(arrived.equals(await buffer(createArchive(backup.folder)))).toBe(true);
      expect(work.steps).toEqual([
        ['Sending', bytes],
        ['Checking the transferred archive', bytes],
      ]);
      expect((await readdir(folder)).toSorted()).toEqual([name, left[1]!].toSorted());
    }
  });

  it('accepts an encrypted key and one of several host keys', async () => {
    const { lockedKeyFile: keyFile, hostKey } = server;
    await send({ keyFile, secret: PASSPHRASE, hostKeys: [`SHA256:${'A'.repeat(43)}`, hostKey] });
    expect(await readdir(folder)).toHaveLength(1);
  });

  it("accepts a folder below the user's", async () => {
    const below = path.relative(process.env['HOME'] ?? '', folder);
    const { where } = await send({ folder: below });
    expect(where).toContain(`/~/${below}/anna-`);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('leaves nothing when canceled', async () => {
    const stop = new AbortController();
    const work = transferWork(stop.signal);
    let progressCalls = 0;
    const sending = send(
      {},
      {
        ...work,
        progress: () => {
          if (++progressCalls === 3) stop.abort(new Error('given up'));
        },
      },
    );
    await expect(sending).rejects.toThrow('given up');
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  it('does not connect if canceled while its key is read', async () => {
    const stop = new AbortController();
    const connecting = connectSftp(target(), stop.signal);
    stop.abort(new Error('given up'));
    await expect(connecting).rejects.toThrow('given up');
  });
});

describe('a failed SFTP transfer is explained without secrets:', () => {
  const refusal = async (change: Partial<SftpTarget>): Promise<string> => {
    const error = (await send(change).catch((reason: unknown) => reason)) as Error & { code: string };
    expect(error).toMatchObject({ code: 'RULE_REFUSED' });
    expect(error.message).toMatch(/^The backup was not transferred to sftp:\/\/[^@]+\/anna-.*\.zip: .*\.$/);
    expect(error.message).not.toContain('secret');
    expect(await readdir(folder)).toEqual([]);
    return error.message;
  };

  it('if the server shows another host key, before revealing the user', async () => {
    const before = server.output();
    expect(await refusal({ hostKeys: [`SHA256:${'A'.repeat(43)}`] })).toContain(
      `its host key is ${server.hostKey}, which is not in BACKUP_TRANSFER_HOST_KEY. Nothing was sent.`,
    );
    expect(server.output().slice(before.length)).not.toMatch(/Accepted|Failed|authenticating/);
  });

  it('if user, password or key is rejected', async () => {
    const { user } = server;
    const no = 'it rejects the user with this password or key';
    expect(await refusal({ keyFile: undefined, secret: 'secret' })).toContain(no);
    expect(await refusal({ user: `${user}-of-nobody` })).toContain(no);
  });

  it('if the key is unreadable', async () => {
    expect(await refusal({ keyFile: path.join(dir, 'no-key') })).toContain(
      'BACKUP_TRANSFER_KEY_FILE can’t be read (ENOENT)',
    );
    for (const [keyFile, secret] of [
      [server.lockedKeyFile, undefined],
      [server.lockedKeyFile, 'secret'],
      [path.join(dir, 'sshd_config'), undefined],
    ])
      expect(await refusal({ keyFile, secret })).toContain('it is not a private key, or needs its passphrase');
  });

  it('if nothing listens at the address or the name is unknown', async () => {
    expect(await refusal({ port: 1 })).toContain('it refuses connections');
    expect(await refusal({ host: 'nowhere.invalid' })).toContain('its name can’t be resolved');
  });

  it('if the folder is missing', async () => {
    expect(await refusal({ folder: path.join(folder, 'missing') })).toContain('there is no such folder');
  });

  it('if the connection breaks', async () => {
    const proxy = await cutProxy(server.port);
    try {
      for (const step of ['Sending', 'Checking the transferred archive']) {
        const progress = (now: string, done: number): void => {
          if (now === step && done > 0) proxy.cut();
        };
        const cut = send({ port: proxy.port }, { ...transferWork(), progress });
        await expect(cut, `while ${step}`).rejects.toMatchObject({
          code: 'RULE_REFUSED',
          message: expect.stringMatching(/: the connection was lost\.$/),
        });
        expect(await readdir(folder), `while ${step}`).not.toContain(`anna-${backup.name}.zip`);
      }
      expect(await readdir(folder)).toEqual([`anna-${backup.name}.zip.part`]);
      await send({ port: proxy.port });
      expect(await readdir(folder)).toEqual([`anna-${backup.name}.zip`]);
    } finally {
      await proxy.close();
    }
  });
});
