import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { boundTo } from './check-factor.ts';
import type { FactorVault } from './factor-vault.ts';

/** Uses the key of the cell that the network moves to. Leaves unreadable secrets, which were useless before. */
export async function resealFactors(
  on: Queryable,
  networkId: number,
  from: FactorVault,
  to: FactorVault,
): Promise<void> {
  const apps = await on.query<{ id: string; login: number; number: number; secret: Buffer }>(
    sql`select account_id as id, login, number, secret from factors
      where network_id = ${networkId} and kind = 'app' and secret is not null`,
  );
  for (const app of apps) {
    const secret = from.open(app.secret, boundTo(app));
    if (secret !== undefined)
      await on.query(
        sql`update factors set secret = ${to.seal(secret, boundTo(app))}
          where network_id = ${networkId} and account_id = ${app.id} and login = ${app.login} and number = ${app.number}`,
      );
  }
}
