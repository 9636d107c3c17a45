import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { idsAmong } from '../../platform/db/sql/name-uuid.ts';
import { overNetworks } from '../../platform/db/over-networks.ts';

export async function hasDraws(on: Queryable, gameId: string): Promise<boolean> {
  const found = await on.query(
    `select from networks n where exists (select from draws d where d.network_id = n.id and d.game_id = $1) limit 1 ${overNetworks('catalogue')}`,
    [gameId],
  );
  return found.length > 0;
}

export async function foreignDraws(
  on: Queryable,
  actor: Pick<Actor, 'id' | 'networkId'>,
  names: readonly string[],
): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    `select d.id from networks n join accounts a on a.id = n.admin_id
     join draws d on d.network_id = n.id and d.id = any($3::uuid[])
     where n.id <> $2 and not a.chain @> array[$1::uuid] ${overNetworks('named')}`,
    [actor.id, actor.networkId, idsAmong(names)],
    'draws-foreign',
  );
  return rows.map((row) => row.id);
}
