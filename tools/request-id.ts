import { systemClock } from '../apps/server/src/clock.ts';
import { createUuid7 } from '../apps/server/src/db/uuid7.ts';

/** Makes the request id of a bet as our clients do: a UUID of version 7, by whose time the server keeps what is made of it. */
export const newRequestId: () => string = createUuid7(systemClock);
