import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureTransferServers, requireSshd, requireSwift } from './transfer-servers.ts';

const SWIFT = 'swift-account swift-container swift-object swift-proxy';
let bin: string;

beforeEach(() => {
  bin = mkdtempSync(path.join(tmpdir(), 'machine-'));
  writeFileSync(path.join(bin, 'apt-get'), `#!/bin/sh\necho "$@" >> ${bin}/told\n`, { mode: 0o755 });
});
afterEach(() => rmSync(bin, { recursive: true, force: true }));

function ensure(userId: number, long = true): string {
  writeFileSync(path.join(bin, 'told'), '');
  ensureTransferServers({ long }, { env: { PATH: bin }, userId: () => userId, print: () => {} });
  return readFileSync(path.join(bin, 'told'), 'utf8');
}

it('installs missing transfer servers, only as root', () => {
  expect(ensure(1000)).toBe('');
  const install = 'install -y --no-install-recommends';
  expect(ensure(0)).toBe(`update\n${install} openssh-server\nupdate\n${install} ${SWIFT}\n`);
  expect(ensure(0, false)).toBe(`update\n${install} openssh-server\n`);
  const programs = ['swift-ring-builder', ...SWIFT.split(' ').map((part) => `${part}-server`)];
  for (const name of ['sshd', 'ssh-keygen', ...programs]) writeFileSync(path.join(bin, name), '', { mode: 0o755 });
  expect(ensure(0)).toBe('');
  expect(requireSshd({ PATH: bin })).toEqual({ sshd: path.join(bin, 'sshd'), keygen: path.join(bin, 'ssh-keygen') });
  expect(requireSwift({ PATH: bin }).servers.proxy).toBe(path.join(bin, 'swift-proxy-server'));
});

it('gives instructions if one is missing', () => {
  expect(() => requireSwift({ PATH: bin })).toThrow(
    'The tests of transfers need OpenStack Swift, which speaks S3: install it (as root: apt-get update && apt-get ' +
      `install -y --no-install-recommends ${SWIFT}).`,
  );
  expect(() => requireSshd({ PATH: '/no/such/folder' })).toThrow(
    'The tests of transfers need an OpenSSH server: install it.',
  );
});
