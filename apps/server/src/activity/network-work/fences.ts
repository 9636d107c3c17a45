import type { Queryable, Tx } from '../../platform/db/database.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { SYSTEM } from '../append-activity.ts';
import { lockBooks } from './closed-books.ts';
import { lockNetworksExclusively } from './network-work.ts';

/** Closes a network durably while it moves between cells. Commands and the schedule skip it, even if the move dies. */
export interface Fence {
  readonly networkId: number;
  readonly adminId: string;
  readonly moveId: string;
  /** False if the network leaves this cell. */
  readonly arrives: boolean;
  readonly cell: string;
}

/** Waits for running commands and bets of the network. */
export async function raiseFence(
  tx: Tx,
  { networkId, adminId, moveId, arrives, cell }: Fence,
  at: Date,
): Promise<void> {
  await lockNetworksExclusively(tx, [networkId]);
  await lockBooks(tx, networkId);
  await tx.query(
    sql`insert into fences (network_id, admin_id, move_id, arrives, cell, at)
      values (${networkId}, ${adminId}, ${moveId}, ${arrives}, ${cell}, ${at})`,
  );
}

/** Deadlines of draws count from the reopening. */
export async function liftFence(tx: Tx, { networkId, adminId, moveId }: Fence, at: Date): Promise<void> {
  await tx.query(sql`delete from fences where network_id = ${networkId} and move_id = ${moveId}`);
  await tx.query(sql`update network_work set reopened_at = ${at} where admin_id = ${adminId}`);
}

export async function noteReturn(tx: Tx, { adminId }: Fence, at: Date): Promise<void> {
  await tx.query(
    sql`insert into network_work (admin_id, kind, username, started_at, finished_at) values (${adminId}, 'move', ${SYSTEM}, ${at}, ${at})`,
  );
}

export async function dropFence(on: Queryable, networkId: number): Promise<void> {
  await on.query(sql`delete from fences where network_id = ${networkId}`);
}

/** The work of a leaving network refers to accounts that go with it. */
export async function forgetFenced(tx: Tx, { networkId, adminId }: Fence): Promise<void> {
  await tx.query(sql`delete from fences where network_id = ${networkId}`);
  await tx.query(sql`delete from network_work where admin_id = ${adminId}`);
}

export function readFences(on: Queryable): Promise<Fence[]> {
  return on.query<Fence & Record<string, unknown>>(
    sql`select network_id as "networkId", admin_id as "adminId", move_id as "moveId", arrives, cell from fences
      order by at ${sql.raw(crossNetworkComment('cells'))}`.named('fences'),
  );
}

export async function isFenced(on: Queryable, networkId: number): Promise<boolean> {
  return (await on.query(sql`select from fences where network_id = ${networkId}`.named('fence'))).length > 0;
}
