import type { Queryable, Tx } from '../platform/db/database.ts';
import { inSubtree, type Viewer } from '../platform/db/visibility-predicate.ts';
import { sql } from '../platform/db/sql/sql.ts';

/** Also stops simulated players. */
export async function setTestNetwork(tx: Tx, adminId: string, isTest: boolean): Promise<void> {
  await tx.query(sql`update accounts set test_network = ${isTest}, simulated_until = null where id = ${adminId}`);
}

interface TestNetwork {
  readonly id: string;
  readonly username: string;
  readonly test_network: boolean;
  readonly simulated_until: Date | null;
}

export async function lockNetworkMark(tx: Tx, actor: Viewer, adminId: string): Promise<TestNetwork | undefined> {
  const [admin] = await tx.query<TestNetwork & object>(
    sql`select a.id, a.username, a.test_network, a.simulated_until from accounts a
     where a.id = ${adminId} and a.role = 'admin' and ${inSubtree('a', actor)} for no key update`,
  );
  return admin;
}

export async function setSimulatedUntil(tx: Tx, adminId: string, until: Date | null): Promise<void> {
  await tx.query(sql`update accounts set simulated_until = ${until} where id = ${adminId} and test_network`);
}

export async function testNetworksBelow(on: Queryable, actor: Viewer): Promise<TestNetwork[]> {
  return on.query<TestNetwork & object>(
    sql`select a.id, a.username, a.test_network, a.simulated_until from accounts a
     where a.role = 'admin' and a.test_network and a.id <> ${actor.id} and ${inSubtree('a', actor)} order by lower(a.username)`,
  );
}

export interface SimulatedNetwork {
  readonly adminId: string;
  readonly networkId: number;
}

export async function simulatedNetworks(on: Queryable, at: Date): Promise<SimulatedNetwork[]> {
  return on.query<SimulatedNetwork & object>(
    sql`select a.id as "adminId", a.network_id as "networkId" from accounts a
     where a.simulated_until > ${at} and a.test_network and a.active and a.deleted_at is null order by a.id`.named(
      'accounts-simulated',
    ),
  );
}
