import { NOTED } from '@drawhouse/contract/activity/activity';
import type { Activity } from '@drawhouse/contract/activity/activity';
import { leastIdAt } from '../db/uuid7.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { holdNetwork } from '../network-work/hold-network.ts';
import { appendActivity } from './append-activity.ts';
import { sql } from '../db/sql.ts';
import type { Author } from './run-command.ts';

/** So many notes an account may make within a minute: the log of its network is for everybody. */
const NOTES = 60;
const WITHIN_MS = 60_000;

/** What a client says that its user did, and at which of its pages. */
export interface Note {
  readonly subject: string;
  readonly requestUrl?: string | undefined;
  readonly method?: string | undefined;
}

/** Appends what a client notes of its user to the log, said to be a note. Throws THROTTLED past what an account may note in a minute. */
export async function noteActivity(services: Services, call: Call<Author>, note: Note): Promise<Activity> {
  const { id: accountId, username, networkId } = call.actor;
  const { url, method, ip } = call.origin;
  const origin = { url: note.requestUrl ?? url, method: note.method?.toUpperCase() ?? method, ip };
  const subject = NOTED + note.subject;
  return services.db.transaction(async (tx) => {
    if (!(await holdNetwork(tx, networkId))) throw new CallError('SESSION_ENDED');
    // One after the other: those that are sent at once would else count the same.
    await tx.query(sql`select from accounts where id = ${accountId} for no key update`);
    const since = leastIdAt(new Date(services.clock.now().getTime() - WITHIN_MS));
    const [noted] = await tx.query<{ count: bigint }>(
      sql`select count(*) from activity where network_id = ${networkId} and account_id = ${accountId} and id >= ${since} and starts_with(subject, ${NOTED})`,
    );
    if (Number(noted!.count) >= NOTES)
      throw new CallError('THROTTLED', {
        message: 'That is more than can be noted. Please wait a minute.',
        retryAfterSeconds: WITHIN_MS / 1000,
      });
    const [row] = await appendActivity(tx, networkId, services, [{ accountId, username, subject, origin }]);
    return {
      _id: row!.id,
      accountId,
      username,
      subject,
      requestUrl: origin.url,
      method: origin.method,
      ipAddress: ip,
      createdAt: row!.at.toISOString(),
    };
  });
}
