import type { LoggedPart } from '../../activity/run-command.ts';
import { changeOf } from '../../activity/changes.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { EndApiKeys, Target, TargetName } from './lock-target.ts';

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
    // `accountId` lets the entry move with its network.
    detail: { accountId: adminId, apiKey: id, did: 'ended' },
    changes: changeOf('Status', 'Can be used', 'Ended'),
  }));
}
