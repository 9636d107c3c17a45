import * as z from 'zod/mini';
import { time } from './primitives.ts';

/**
 * Beside the rows of a list that is looked through for a search: the time of the row up to which that came in its time, or null where it
 * came to the end. What matches beyond is on the next page, which goes on from there.
 */
export const searchedTo = { searchedTo: z.nullable(time) };
