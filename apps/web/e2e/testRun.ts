import { randomBytes } from 'node:crypto';
import type { Addresses } from '../../server/src/compose/serve.ts';

const VARIABLE = 'TEST_RUN';

export interface TestRun extends Addresses {
  /** Shared by all copies. */
  readonly seedKey: string;
}

export const NETWORK_TEMPLATE = 'network_template';

export function beginRun({ ownerUrl, serverUrl }: Addresses): TestRun {
  const run: TestRun = { ownerUrl, serverUrl, seedKey: randomBytes(32).toString('hex') };
  process.env[VARIABLE] = JSON.stringify(run);
  return run;
}

export function testRun(): TestRun {
  return JSON.parse(process.env[VARIABLE]!) as TestRun;
}
