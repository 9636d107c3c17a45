import type { LoggedPart } from '../activity/run-command.ts';
import { changeOf } from '../activity/changes.ts';
import type { Tx } from '../db/database.ts';
import type { EndApiKeys, Target, TargetName } from './lock-target.ts';

/** Ends the API keys of an admin that is stopped, which programs use in its name. Gives what the log tells of each; nothing for other levels. */
export async function endAdminKeys(
  tx: Tx,
  { id: adminId, network_id, username }: Target,
  { role }: Pick<TargetName, 'role'>,
  at: Date,
  endApiKeys: EndApiKeys,
): Promise<LoggedPart[]> {
  if (role !== 'admin') return [];
  const ended = await endApiKeys(tx, network_id, at);
  return ended.map(({ id, name }) => ({
    subject: `Ended API key ${name} of ${username}`,
    // By the account it goes with the network, where that is moved to another installation.
    detail: { accountId: adminId, apiKey: id, did: 'ended' },
    changes: changeOf('Status', 'Can be used', 'Ended'),
  }));
}
