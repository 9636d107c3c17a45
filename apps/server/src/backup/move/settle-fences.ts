import { liftFence, readFences } from '../../activity/network-work/fences.ts';
import type { Fence } from '../../activity/network-work/fences.ts';
import type { NetworkWork } from '../../activity/network-work/network-work.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Directory, Services } from '../../platform/services.ts';
import { departNetwork } from './depart-network.ts';

/** Ends moves whose command died: the network opens in the cell that the directory names, and leaves the other. */
export async function settleFences(services: Services, work: NetworkWork): Promise<void> {
  const { db, directory } = services;
  if (!directory) return;
  for (const fence of await readFences(db)) {
    if ((await work.latest(fence.adminId))?.finishedAt === null) continue;
    const outcome = await outcomeOf(directory, fence);
    if (outcome === 'open') await db.transaction((tx) => liftFence(tx, fence, services.clock.now()));
    if (outcome === 'leave') await db.transaction((tx) => departNetwork(services, tx, fence), COMMAND_TIMEOUTS);
  }
}

async function outcomeOf(
  directory: Directory,
  { adminId, moveId, arrives }: Fence,
): Promise<'open' | 'leave' | 'wait'> {
  const place = await directory.placeOf(adminId);
  if (!place) return 'wait';
  const isUndecided = place.moveId === moveId;
  if (place.cell === directory.cell) {
    // Only this ends the move for sure: its command may still be alive and decide.
    if (isUndecided && !(await directory.cancelMove(adminId, moveId))) return 'wait';
    return 'open';
  }
  return arrives && isUndecided ? 'wait' : 'leave';
}
