import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataDir } from './data-dir.ts';
import { runAudit, startServer } from './server-process.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await makeDataDir('first');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it(
  'still prints the password when the port was taken at the very first start, or one was set that is too weak',
  { timeout: 60_000 },
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
    await server.end('SIGTERM');
  },
);

describe('the audit', () => {
  const whatLies = (): string[] => readdirSync(dataDir);

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
