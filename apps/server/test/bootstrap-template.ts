import { EventEmitter } from 'node:events';
import { createFirstSuperadmin } from '../src/accounts/change/create-account.ts';
import { FIRST_SUPERADMIN } from '../src/compose/first-start.ts';
import { hashPassword } from '../src/auth/passwords/password.ts';
import { COMMAND_TIMEOUTS } from '../src/platform/db/connection/timeouts.ts';
import { connect } from '../src/platform/db/database.ts';
import { createUuid7 } from '../src/platform/db/sql/uuids.ts';
import type { Services } from '../src/platform/services.ts';
import { ensureCatalogue } from '../src/games/catalogue/built-in-games.ts';
import type { Addresses } from '../src/compose/serve.ts';
import './quick-passwords.ts';
import { PASSWORD } from './test-password.ts';
import { BOOTSTRAPPED, createTemplate, TEST_EPOCH } from './test-databases.ts';

/** Before all tests, so later ids sort higher. */
const AT = new Date(TEST_EPOCH.getTime() - 1000);

/** Copying the rows of one first start is cheaper than repeating a hundred statements. */
export async function bootstrapTemplate(cluster: Addresses): Promise<void> {
  await createTemplate(cluster, BOOTSTRAPPED, async ({ serverUrl }) => {
    const db = connect(serverUrl, { onError: () => {}, poolSize: 1, patience: COMMAND_TIMEOUTS });
    const clock = { now: () => AT };
    const services: Services = { db, clock, newId: createUuid7(clock), events: new EventEmitter(), timeZone: 'UTC' };
    await ensureCatalogue(services);
    await createFirstSuperadmin(services, FIRST_SUPERADMIN, () => hashPassword(PASSWORD));
    await db.close();
  });
}
