import { systemClock } from '../apps/server/src/platform/time/clock.ts';
import { createUuid7 } from '../apps/server/src/platform/db/sql/uuids.ts';

/** A UUIDv7, as clients send: the server expires requests by its time. */
export const newRequestId: () => string = createUuid7(systemClock);
