import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataDir } from './data-dir.ts';
import { runAudit, startCommand, startServer } from './server-process.ts';

const DOCTOR = fileURLToPath(new URL('../src/run-doctor.ts', import.meta.url));

let dataDir: string;
const whatLies = (): string[] => readdirSync(dataDir);

beforeEach(async () => {
  dataDir = await makeDataDir('first');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it(
  'still prints the password when the port was taken at the very first start, or one was set that is too weak; and can be looked over',
  { timeout: 120_000 },
  async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    await expect(startServer(dataDir, { PORT: port })).rejects.toThrow(/port is in use/);
    other.close();
    await expect(startServer(dataDir, { SUPERADMIN_PASSWORD: 'superadmin1' })).rejects.toThrow(
      "SUPERADMIN_PASSWORD can't be the first password. Use at least 8 characters beside the username.",
    );
    const server = await startServer(dataDir);
    expect(server.output()).toMatch(/password {2}\S+/);

    // Beside it, and without it, whoever looks finds the same, and leaves all as it was.
    const lookOver = () => startCommand(DOCTOR, [], { DATA_DIR: dataDir, PORT: new URL(server.url).port }).ended;
    const beside = await lookOver();
    expect(beside.output).toMatch(/^ok {7}server {6}It runs and is ready: /m);
    expect(beside).toMatchObject({ code: 0, output: expect.stringMatching(/^0 at fault, \d+ to be looked at/m) });
    await server.end('SIGTERM');
    const log = join(dataDir, 'postgres.log');
    await writeFile(log, 'why the server ended\n');
    const lay = whatLies();
    const alone = await lookOver();
    expect(alone).toMatchObject({ code: 0, output: expect.stringMatching(/^warning {2}server {6}None runs\.$/m) });
    expect(whatLies()).toEqual(lay);
    expect(await readFile(log, 'utf8')).toMatch(/^why the server ended\n/);
  },
);

describe('the audit', () => {
  it(
    'says that there is nothing to audit where there is no database, and makes none',
    { timeout: 60_000 },
    async () => {
      expect(await runAudit(dataDir)).toEqual({
        code: 1,
        output: expect.stringMatching(/^There is nothing to audit: .* has no database\. .*\n$/),
      });
      expect(whatLies()).toEqual([]);
      const none = join(dataDir, 'none');
      expect(await runAudit(none)).toMatchObject({ code: 1, output: expect.stringContaining('nothing to audit') });
      expect(whatLies()).toEqual([]);
    },
  );

  it('says so in a sentence when it reaches no database', { timeout: 60_000 }, async () => {
    const { code, output } = await runAudit(dataDir, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(output).toMatch(/^The database did not answer: connect ECONNREFUSED [^\n]*\n$/);
  });
});
