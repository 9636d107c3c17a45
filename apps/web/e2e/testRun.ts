import { randomBytes } from 'node:crypto';
import type { Addresses } from '../../server/src/serve.ts';

/** How the runner tells its workers of the run. */
const VARIABLE = 'TEST_RUN';

/** What all files of a run share: its PostgreSQL, and what the databases in it begin with. */
export interface TestRun extends Addresses {
  /** Of the server that filled the template, and so of each on a copy. */
  readonly seedKey: string;
}

/** The database that has the small network, for {@link createDatabase} to copy. */
export const NETWORK_TEMPLATE = 'network_template';

/** Begins a run on its PostgreSQL; the workers that are started later know of it. */
export function beginRun({ ownerUrl, serverUrl }: Addresses): TestRun {
  const run: TestRun = { ownerUrl, serverUrl, seedKey: randomBytes(32).toString('hex') };
  process.env[VARIABLE] = JSON.stringify(run);
  return run;
}

/** The run that this worker belongs to. */
export function testRun(): TestRun {
  return JSON.parse(process.env[VARIABLE]!) as TestRun;
}
