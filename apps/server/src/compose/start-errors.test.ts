import { createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../test/test-databases.ts';
import { startErrorText } from './start-errors.ts';

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error,
  );
}

const listening = (port: number, host: string) =>
  new Promise<ReturnType<typeof createServer>>((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(port, host, () => done(server));
  });

describe('a start error about a port', () => {
  it('in use names a remedy', async () => {
    const server = await listening(0, '127.0.0.1');
    const { port } = server.address() as { port: number };
    const error = await failureOf(() => listening(port, '127.0.0.1'));
    expect(startErrorText(error, {})).toBe(
      `Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`,
    );
    server.close();
  });

  it('forbidden, or an unknown address, names the setting', async () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 });
    expect(startErrorText(error, {})).toBe("This user can't listen on port 80. Set PORT to 1024 or higher.");
    expect(startErrorText(await failureOf(() => listening(0, '192.0.2.1')), {})).toContain('Set HOST');
  });
});

describe('a start error about the database', () => {
  const connectTo = async (url: URL): Promise<void> => {
    const client = new pg.Client({ connectionString: url.href });
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => {});
    }
  };

  it('missing, refusing the password or silent names the setting', async () => {
    const database = await createDatabase(inject('cluster'));
    const changed = (change: (url: URL) => void): URL => {
      const url = new URL(database.ownerUrl);
      change(url);
      return url;
    };
    const textOf = async (url: URL): Promise<string> =>
      startErrorText(new Error('outer', { cause: await failureOf(() => connectTo(url)) }), {});
    expect(await textOf(changed((url) => (url.pathname = '/nowhere')))).toMatch(/does not exist.*DATABASE_URL/);
    expect(await textOf(changed((url) => (url.password = 'wrong')))).toMatch(/rejects the password.*DATABASE_URL/);
    expect(await textOf(changed((url) => (url.port = '1')))).toMatch(/does not answer.*DATABASE_URL/);
    await database.drop();
  });
});

it('other errors keep their message', () => {
  expect(startErrorText(new Error('Something else'), {})).toBe('Something else');
});
