import pg from 'pg';
import { timeoutsOf } from './patience.ts';
import type { Patience } from './patience.ts';
import { explained } from './unavailable.ts';

export const LOOK: Patience = { connectMs: 10_000, lockMs: 10_000, statementMs: 10_000, answerMs: 15_000 };

/** Dedicated connection. Throws DatabaseUnavailable. */
export async function withClient<T>(
  connectionString: string,
  patience: Patience,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, ...timeoutsOf(patience) });
  client.on('error', () => {});
  try {
    await client.connect();
    return await act(client);
  } catch (error) {
    throw explained(error);
  } finally {
    await client.end().catch(() => {});
  }
}
