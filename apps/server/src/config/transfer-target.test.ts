import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTransferTarget } from './backup-settings.ts';

const HOST_KEY = `SHA256:${'a'.repeat(43)}`;
const read = (url: string | undefined, more: Record<string, string> = {}) => {
  const env: Record<string, string | undefined> = { BACKUP_TRANSFER_URL: url };
  for (const [name, value] of Object.entries(more)) env[`BACKUP_TRANSFER_${name}`] = value;
  return readTransferTarget((name) => env[name]);
};

describe('the backup transfer target', () => {
  it('is unset by default', () => {
    expect(read(undefined)).toBeUndefined();
  });

  it('may be a folder', () => {
    expect(read('file:///mnt/a%20b/backups')).toEqual({ kind: 'file', folder: path.resolve('/mnt/a b/backups') });
  });

  it("may be an SFTP folder, absolute or below the user's", () => {
    const sftp = {
      kind: 'sftp',
      host: 'example.org',
      port: 22,
      user: 'anna',
      folder: '/backups',
      hostKeys: [HOST_KEY],
    };
    const secret = 'hush';
    expect(read('sftp://anna@example.org/backups', { HOST_KEY, SECRET: secret })).toEqual({ ...sftp, secret });
    const keyFile = path.resolve('key');
    const twoKeys = `${HOST_KEY}=, SHA256:${'b'.repeat(43)}`;
    expect(read('sftp://a%40b@[::1]:2222/~/net/one', { HOST_KEY: twoKeys, KEY_FILE: 'key', SECRET: secret })).toEqual({
      kind: 'sftp',
      host: '::1',
      port: 2222,
      user: 'a@b',
      folder: './net/one',
      hostKeys: [HOST_KEY, `SHA256:${'b'.repeat(43)}`],
      keyFile,
      secret,
    });
    expect(read('sftp://anna@example.org', { HOST_KEY, SECRET: secret })).toMatchObject({ folder: '.' });
    expect(read('sftp://anna@example.org/~', { HOST_KEY, SECRET: secret })).toMatchObject({ folder: '.' });
  });

  it('may be a bucket of Amazon or another store, with a prefix', () => {
    expect(read('s3://bucket/net/one/?region=eu-west-1')).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: 'net/one/',
      endpoint: undefined,
      region: 'eu-west-1',
      accessKey: undefined,
    });
    expect(read('s3://AKIA%3A1@bucket?endpoint=https://minio.example.org:9000', { SECRET: 'hush' })).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: '',
      endpoint: 'https://minio.example.org:9000',
      region: 'us-east-1',
      accessKey: { id: 'AKIA:1', secret: 'hush' },
    });
  });
});

describe('refuses invalid targets with a helpful sentence:', () => {
  it.each<[string, Record<string, string>, string]>([
    ['backups', {}, 'BACKUP_TRANSFER_URL must look like file:///mnt/elsewhere/backups, sftp://'],
    ['ftp://host/backups', {}, 'BACKUP_TRANSFER_URL must look like'],
    ['sftp:///backups', {}, 'BACKUP_TRANSFER_URL must look like'],
    ['s3:///backups', {}, 'BACKUP_TRANSFER_URL must look like'],
    ['file://mnt/backups', {}, 'with three slashes'],
    ['file:///', {}, 'with three slashes'],
    [
      'sftp://anna:hush@host/backups',
      {},
      'must not contain a password, because it is shown. Set BACKUP_TRANSFER_SECRET instead',
    ],
    ['sftp://host/backups', { HOST_KEY, SECRET: 'hush' }, 'must include the user: sftp://user@host/backups'],
    ['sftp://anna@host/backups', { SECRET: 'hush' }, '"ssh-keyscan host | ssh-keygen -lf -" shows its fingerprints'],
    ['sftp://anna@host:2222/x', { SECRET: 'hush' }, '"ssh-keyscan -p 2222 host | ssh-keygen -lf -"'],
    [
      'sftp://anna@host/x',
      { SECRET: 'hush', HOST_KEY: 'ssh-ed25519 AAAA' },
      'BACKUP_TRANSFER_HOST_KEY must be a fingerprint',
    ],
    [
      'sftp://anna@host/x',
      { HOST_KEY },
      'needs BACKUP_TRANSFER_KEY_FILE, a file with a private key, or BACKUP_TRANSFER_SECRET',
    ],
    ['s3://bucket', {}, 'needs ?region=…, or ?endpoint=https://…'],
    ['s3://bucket?regoin=x', {}, 'has ?regoin=…, but only endpoint and region are supported'],
    ['s3://bucket?endpoint=minio:9000', {}, 'must have an endpoint that begins with https:// or http://'],
    ['s3://bucket/100%?region=x', {}, 'has a % that is not followed by two hex digits'],
    ['s3://AKIA@bucket?region=x', {}, 'needs both or neither'],
    ['s3://bucket?region=x', { SECRET: 'hush' }, 'needs both or neither'],
  ])('%s with %j', (url, more, sentence) => {
    expect(() => read(url, more)).toThrow(sentence);
    expect(() => read(url, more)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hush') }));
  });

  it.each(['SECRET', 'KEY_FILE', 'HOST_KEY'])('BACKUP_TRANSFER_%s without an address', (name) => {
    expect(() => read(undefined, { [name]: 'x' })).toThrow(`BACKUP_TRANSFER_${name} needs BACKUP_TRANSFER_URL`);
  });
});
