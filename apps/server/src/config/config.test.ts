import { formatNoteKey, noteKey, parseNoteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const WITNESS = formatNoteKey(noteKey('witness.example', SIGNATURE_TYPES.cosignature, new Uint8Array(32)));

describe('settings', () => {
  it('all have a default', () => {
    expect(readConfig({})).toEqual({
      servers: 1,
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      backupDir: resolve('data/backups'),
      backupQuota: 20,
      backupKey: undefined,
      backupTransfer: undefined,
      backupPlan: undefined,
      retentionDays: 0,
      databaseUrl: undefined,
      superadminPassword: undefined,
      superadminByToken: true,
      superadminFactor: false,
      timeZone: undefined,
      firstWeekday: 'sunday',
      databaseOwnerUrl: undefined,
      seedKey: undefined,
      seedKeyFile: undefined,
      sealDir: resolve('data/seals'),
      sealWitnesses: [],
      logLevel: 'warn',
      trustProxy: false,
      beacons: { beacons: [], deadlineMs: 60_000 },
      auditEveryDays: 31,
      metrics: { port: undefined, host: '127.0.0.1', token: undefined },
    });
  });

  it('are read by name', () => {
    expect(
      readConfig({
        SERVERS: '3',
        PORT: '8080',
        HOST: '0.0.0.0',
        DATA_DIR: 'elsewhere',
        BACKUP_DIR: 'apart',
        BACKUP_KEY: `age1${'q'.repeat(58)}`,
        BACKUP_TRANSFER_URL: 'file:///mnt/elsewhere',
        BACKUP_SCHEDULE: 'weekly monday 3:30',
        BACKUP_KEEP: '12',
        BACKUP_QUOTA: '5',
        BACKUP_KEEP_DAYS: '90',
        RETENTION_DAYS: '90',
        DATABASE_URL: 'postgres://someone@somewhere/drawhouse',
        DATABASE_OWNER_URL: 'postgres://owner@somewhere/drawhouse',
        REPORTS_URL: 'postgres://someone@a,b/drawhouse?target_session_attrs=prefer-standby',
        CELL_NAME: 'cell-2',
        DIRECTORY_URL: 'postgres://cells@somewhere/directory',
        CELL_URL: 'http://10.0.0.5:3000',
        SUPERADMIN_PASSWORD: 'long enough',
        SUPERADMIN_BY_TOKEN: 'false',
        SUPERADMIN_FACTOR: 'true',
        PUBLIC_URL: 'https://games.example.org',
        BREACHED_PASSWORDS: '/lists/breached.txt',
        TIME_ZONE: 'Asia/Kolkata',
        WEEK_STARTS_ON: 'Monday',
        SEED_KEY: 'ab'.repeat(32),
        SEAL_DIR: 'sealed',
        SEAL_KEY: 'cd'.repeat(32),
        SEAL_NAME: 'games.example.org',
        SEAL_WITNESSES: `${WITNESS},${WITNESS}@https://witness.example/path/`,
        LOG_LEVEL: 'debug',
        LOG_FORMAT: 'text',
        TRUST_PROXY: 'true',
        SESSION_CALLS_PER_SECOND: '250',
        ADDRESS_CALLS_PER_SECOND: '5',
        BET_BATCH_MAX: '1',
        SETTLE_WHOLE_UP_TO: '1000000',
        SETTLE_PIECE_PLAYERS: '100000',
        BEACONS: `https://api.example/chain/#${'AB'.repeat(96)}, http://localhost:3900#${'cd'.repeat(96)}`,
        BEACON_DEADLINE_SECONDS: '90',
        NOTIFY_URL: 'https://ops:p%40ss@alerts.example/hook?of=games',
        NOTIFY_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
        AUDIT_EVERY_DAYS: '7',
        METRICS_PORT: '9464',
        METRICS_HOST: '0.0.0.0',
        METRICS_TOKEN: 'a-token-of-24-characters',
      }),
    ).toEqual({
      servers: 3,
      port: 8080,
      host: '0.0.0.0',
      dataDir: resolve('elsewhere'),
      backupDir: resolve('apart'),
      backupQuota: 5,
      backupKey: `age1${'q'.repeat(58)}`,
      backupTransfer: { kind: 'file', folder: resolve('/mnt/elsewhere') },
      backupPlan: { weekday: 1, atMs: 3.5 * 3_600_000, keep: 12, keepDays: 90 },
      retentionDays: 90,
      databaseUrl: 'postgres://someone@somewhere/drawhouse',
      databaseOwnerUrl: 'postgres://owner@somewhere/drawhouse',
      reportsUrl: 'postgres://someone@a,b/drawhouse?target_session_attrs=prefer-standby',
      cellName: 'cell-2',
      directoryUrl: 'postgres://cells@somewhere/directory',
      cellUrl: 'http://10.0.0.5:3000',
      superadminPassword: 'long enough',
      superadminByToken: false,
      superadminFactor: true,
      publicUrl: 'https://games.example.org',
      breachedPasswords: '/lists/breached.txt',
      timeZone: 'Asia/Kolkata',
      firstWeekday: 'monday',
      seedKey: 'ab'.repeat(32),
      sealDir: resolve('sealed'),
      sealKey: 'cd'.repeat(32),
      sealName: 'games.example.org',
      sealWitnesses: [
        { key: parseNoteKey(WITNESS), url: undefined },
        { key: parseNoteKey(WITNESS), url: 'https://witness.example/path' },
      ],
      logLevel: 'debug',
      logFormat: 'text',
      trustProxy: true,
      sessionCallsPerSecond: 250,
      addressCallsPerSecond: 5,
      betBatchMax: 1,
      settleWholeUpTo: 1_000_000,
      settlePiecePlayers: 100_000,
      beacons: {
        beacons: [
          { url: 'https://api.example/chain', publicKey: 'ab'.repeat(96) },
          { url: 'http://localhost:3900', publicKey: 'cd'.repeat(96) },
        ],
        deadlineMs: 90_000,
      },
      notify: {
        url: 'https://alerts.example/hook?of=games',
        host: 'alerts.example',
        authorization: `Basic ${btoa('ops:p@ss')}`,
        secret: Buffer.alloc(32, 7),
        answerMs: 8_000,
      },
      auditEveryDays: 7,
      metrics: { port: 9464, host: '0.0.0.0', token: 'a-token-of-24-characters' },
    });
  });

  it('name the directory of a group by address or by the folder of a cell', () => {
    expect(readConfig({ CELL_NAME: 'cell-1' })).toMatchObject({ cellName: 'cell-1', directoryUrl: undefined });
    expect(readConfig({ CELL_NAME: 'cell-2', DIRECTORY_URL: 'first' })).toMatchObject({
      directoryUrl: resolve('first'),
    });
    expect(() => readConfig({ DIRECTORY_URL: 'first' })).toThrow('DIRECTORY_URL needs CELL_NAME');
    expect(() => readConfig({ CELL_NAME: 'cell-1', CELL_URL: '10.0.0.5:3000' })).toThrow('CELL_URL must be an address');
    expect(() => readConfig({ CELL_NAME: 'Cell 1' })).toThrow('CELL_NAME must have 1 to 16 letters');
    const own = { CELL_NAME: 'cell-1', DATABASE_URL: 'postgres://someone@somewhere/drawhouse' };
    expect(() => readConfig(own)).toThrow('CELL_NAME with DATABASE_URL needs DIRECTORY_URL');
  });

  it('count as unset when blank', () => {
    expect(readConfig({ PORT: '', SEED_KEY: '  ', DATABASE_URL: '', LOG_LEVEL: ' ' })).toEqual(readConfig({}));
  });

  it('leave one core to PostgreSQL with SERVERS=auto', () => {
    expect(readConfig({ SERVERS: 'auto' }).servers).toBe(Math.max(1, availableParallelism() - 1));
  });

  it('accept port 0 for any free one', () => {
    expect(readConfig({ PORT: '0' }).port).toBe(0);
  });

  it.each([
    ['SERVERS', '0'],
    ['SERVERS', '65'],
    ['SERVERS', 'all'],
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['TIME_ZONE', 'Mars/Olympus'],
    ['TIME_ZONE', '+05:30'],
    ['WEEK_STARTS_ON', 'today'],
    ['SEED_KEY', 'abc'],
    ['SEAL_KEY', 'abc'],
    ['SEAL_NAME', 'with space'],
    ['SEAL_WITNESSES', 'witness.example'],
    ['SEED_KEY', 'zz'.repeat(32)],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'pretty'],
    ['DATABASE_URL', 'mysql://somewhere'],
    ['REPORTS_URL', 'postgres://a/drawhouse'],
    ['DATABASE_URL', 'postgres://a,b/drawhouse?target_session_attrs=any'],
    ['DATABASE_OWNER_URL', 'mysql://somewhere'],
    ['DATABASE_OWNER_URL', 'postgres://owner@somewhere/drawhouse'],
    ['METRICS_PORT', 'yes'],
    ['METRICS_PORT', '70000'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'sixteen with a space'],
    ['TRUST_PROXY', 'yes please'],
    ['SUPERADMIN_BY_TOKEN', 'no'],
    ['PUBLIC_URL', 'games.example.org'],
    ['BACKUP_KEY', 'a password'],
    ['BACKUP_KEY', `age1${'b'.repeat(58)}`],
    ['BACKUP_TRANSFER_URL', 'ftp://somewhere'],
    ['BACKUP_TRANSFER_SECRET', 'of nothing'],
    ['BACKUP_SCHEDULE', 'hourly'],
    ['BACKUP_SCHEDULE', 'daily 24:00'],
    ['BACKUP_SCHEDULE', 'daily sunday'],
    ['BACKUP_SCHEDULE', 'weekly someday 03:30'],
    ['BACKUP_KEEP', '7'],
    ['BACKUP_KEEP_DAYS', '7'],
    ['SESSION_CALLS_PER_SECOND', '0'],
    ['ADDRESS_CALLS_PER_SECOND', '1.5'],
    ['BET_BATCH_MAX', '0'],
    ['BET_BATCH_MAX', '5001'],
    ['SETTLE_WHOLE_UP_TO', '0'],
    ['SETTLE_WHOLE_UP_TO', '1000001'],
    ['BEACONS', 'https://beacon.example'],
    ['BEACONS', 'https://beacon.example#short'],
    ['BEACONS', `beacon.example#${'ab'.repeat(96)}`],
    ['BEACONS', `https://one.example#${'ab'.repeat(96)},https://two.example#${'ab'.repeat(96)}`],
    ['BEACONS', ['ab', 'bc', 'cd', 'de'].map((key) => `https://b.example#${key.repeat(96)}`).join()],
    ['BEACON_DEADLINE_SECONDS', '4'],
    ['BEACON_DEADLINE_SECONDS', '3601'],
    ['NOTIFY_URL', 'https://alerts.example'],
    ['NOTIFY_SECRET', 'whsec_c2hvcnQ='],
    ['AUDIT_EVERY_DAYS', '-1'],
    ['SETTLE_PIECE_PLAYERS', '1e3'],
    ['SETTLE_PIECE_PLAYERS', '100001'],
  ])('name %s when it is %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it('read the seed key from a single source', () => {
    expect(readConfig({ SEED_KEY_FILE: 'key' }).seedKeyFile).toBe(resolve('key'));
    expect(() => readConfig({ SEAL_KEY_FILE: 'key', SEAL_KEY: 'ab'.repeat(32) })).toThrow(
      'SEAL_KEY and SEAL_KEY_FILE are both set',
    );
    expect(() => readConfig({ SEED_KEY_FILE: 'key', SEED_KEY: 'ab'.repeat(32) })).toThrow(
      'SEED_KEY and SEED_KEY_FILE are both set',
    );
    expect(() => readConfig({ SEED_KEY_FILE: 'key', SEED_KEY_COMMAND: 'pass show key' })).toThrow(
      'SEED_KEY_FILE and SEED_KEY_COMMAND are both set',
    );
  });

  it('split a command like a shell, without running one', () => {
    const words = (command: string) => readConfig({ SEED_KEY_COMMAND: command }).seedKeyCommand;
    expect(words('vault kv get -field=key secret/drawhouse')).toEqual([
      'vault',
      'kv',
      'get',
      '-field=key',
      'secret/drawhouse',
    ]);
    expect(words(`  "/opt/a b/get" --name='the seed key'  '' $(rm) `)).toEqual([
      '/opt/a b/get',
      '--name=the seed key',
      '',
      '$(rm)',
    ]);
    expect(() => words(`get 'key`)).toThrow('SEED_KEY_COMMAND has an unclosed quote.');
  });

  it('accept a webhook address with a well-formed secret only, and print neither', () => {
    const right = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    for (const [url, secret] of [
      ['ftp://ops:hunter2@alerts.example', right],
      ['https://ops:hunter2%@alerts.example', right],
      ['https://ops:hunter2@alerts.example', 'whsec_aHVudGVyMg=='],
      ['https://ops:hunter2@alerts.example', `whsec_${Buffer.alloc(65, 9).toString('base64')}`],
      ['https://ops:hunter2@alerts.example', right.slice(6)],
    ])
      expect(() => readConfig({ NOTIFY_URL: url, NOTIFY_SECRET: secret }), `${url} ${secret}`).toThrow(
        expect.toSatisfy(
          ({ message }: Error) => /^NOTIFY_(?:URL|SECRET) /.test(message) && !/hunter2|aHVudGVyMg|CQkJ/.test(message),
        ),
      );
  });

  it('keep secrets out of error messages', () => {
    const secret = 'zz'.repeat(32);
    expect(() => readConfig({ SEED_KEY: secret })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    );
  });
});
