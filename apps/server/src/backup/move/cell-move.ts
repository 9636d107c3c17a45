import type { NetworkWork, Work } from '../../activity/network-work/network-work.ts';
import type { OpenDirectory } from '../../cells/directory.ts';
import type { Services } from '../../platform/services.ts';
import { findBackup, type CompleteBackup } from '../keep/backup-folders.ts';
import type { RestoreDependencies } from '../restore/audit-and-swap.ts';
import type { RestoringCall } from '../restore/restoring.ts';
import type { BackupTrust } from '../take/archive/sign-manifest.ts';
import { backUpNetwork } from '../take/back-up-network.ts';
import type { CellWatch } from './watch-cells.ts';

export interface MovingCell {
  readonly services: Services;
  readonly directory: OpenDirectory;
  readonly work: NetworkWork;
  readonly parts: RestoreDependencies;
  /** Seeds of open draws and secrets of second factors are resealed for the other cell. */
  readonly seedKey: string;
}

export interface CellMove {
  readonly from: MovingCell;
  readonly to: MovingCell;
  readonly network: { readonly id: number; readonly adminId: string; readonly username: string };
  /** Made by the superadmin who gets the network. */
  readonly call: RestoringCall;
  readonly by: string;
  /** Holds readable rows in transit. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly watch?: CellWatch;
}

/** Backs the network up for its new cell. Replicated tables can be left out. */
export async function copyNetwork(
  { from, network, by }: CellMove,
  folder: string,
  { signal, progress }: Work,
  without?: ReadonlySet<string>,
): Promise<CompleteBackup> {
  // Never encrypted: the server may have only the public half of the key.
  const place = { ...from.parts.settings, dir: folder, key: undefined };
  const admin = { id: network.adminId, networkId: network.id };
  const { name } = await backUpNetwork(from.services, place, { admin, by, signal, progress, without });
  return (await findBackup(folder, network.adminId, name)) as CompleteBackup;
}

/** A backup within a group is as trusted as its cell. */
export function trustIn({ manifest: { signature } }: CompleteBackup): BackupTrust {
  return { keys: signature ? [signature.key] : [], unsigned: signature === undefined };
}
