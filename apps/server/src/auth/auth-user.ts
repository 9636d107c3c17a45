import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import { firstCellElsewhere } from '../cells/other-cell.ts';
import { balanceOf } from '../ledger/wallets.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Services } from '../platform/services.ts';
import { hasFactor } from './factors/factors.sql.ts';
import { LOGIN_COLUMNS, loginOf, rightsOf, type LoginColumns, type Person } from './logins/person.ts';
import { dutyColumns, type DutyColumns } from './passwords/sign-in-duties.ts';

export async function authUserOf(
  services: Pick<Services, 'db' | 'directory' | 'timeZone' | 'superadminFactor'>,
  on: Queryable,
  { id, networkId, login }: Person,
): Promise<AuthUser> {
  const [row] = await on.query<
    LoginColumns &
      DutyColumns & {
        username: string;
        role: Role;
        active: boolean;
        unique_id: string;
        test_network: boolean;
        second_factor: boolean;
      }
  >(sql`select a.username, a.role, a.active, a.unique_id, ${LOGIN_COLUMNS},
      coalesce((select up.test_network from accounts up where up.id = a.chain[2]), false) as test_network,
      ${hasFactor({ id, networkId, login })} as second_factor,
      ${dutyColumns(services, sql`person.login`)}
    from (select ${id}::uuid as account_id, ${login}::smallint as login) as person join accounts a on a.id = person.account_id
      left join ${loginOf('a', 'person')}`);
  const { username, role, active, unique_id, test_network, second_factor } = row!;
  const { permissions, games } = rightsOf(username, row!);
  const credit = await balanceOf(on, networkId, `credit:${id}`);
  return {
    _id: id,
    username,
    role,
    roles: role,
    walletBalance: pointsOf(credit),
    userStatus: active,
    uniqueId: unique_id,
    timeZone: services.timeZone,
    testNetwork: test_network,
    ...(role === 'superadmin' && (await firstCellElsewhere(services)) && { followsFirstCell: true as const }),
    secondFactor: second_factor,
    mustChangePassword: row!.has_temporary_password,
    mustAddFactor: row!.lacks_factor,
    ...(row!.login_role !== null && {
      login: {
        number: login,
        name: row!.login_name!,
        role: row!.login_role,
        permissions: [...permissions],
        games: [...games],
      },
    }),
  };
}
