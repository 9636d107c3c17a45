import { expect, it } from 'vitest';
import type { App } from './app.ts';
import { DatabaseUnavailable } from '../platform/db/connection/unavailable.ts';
import { createLogger } from '../platform/log/create-logger.ts';
import { runDueWork } from './serve.ts';

it('a database refusing every step is reported once a minute, like each other fault', async () => {
  const logged: string[] = [];
  const { logger } = createLogger(
    { logLevel: 'info' },
    { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const refused = Object.assign(new DatabaseUnavailable(new Error('no room')), { refused: true });
  const faults = [refused, refused, new Error('a fault')];
  const stopping = new AbortController();
  const step = async (): Promise<void> => {
    const fault = faults.shift();
    if (faults.length === 0) stopping.abort();
    if (fault) throw fault;
  };
  await runDueWork({ step } as App, logger, stopping.signal);
  expect(faults).toEqual([]);
  expect(logged).toEqual(Array.from({ length: 2 }, () => 'a step of the draws failed; retrying'));
});
