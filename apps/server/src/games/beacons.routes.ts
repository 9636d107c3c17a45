import { listBeacons, setBeacons, type GameBeacons } from '@drawhouse/contract/games/game-beacons';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import { listPairs, type PairRow } from './games.sql.ts';
import { requireAdmin } from './pairs/game-limits.ts';
import { lockPairs, pairId } from './pairs/pairs.ts';
import { handle, type BoundRoute, type Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Services } from '../platform/services.ts';
import { GAME_TEXTS } from './games-texts.ts';

type ListBeacons = () => RouteResult<typeof listBeacons>['beacons'];

export function beaconsRoutes(services: Services, listAll: ListBeacons): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(listBeacons, async ({ params }, { actor }: { actor: Actor }) => {
      await requireAdmin(db, actor, params.adminId);
      const pairs = await listPairs(db, actor);
      return {
        beacons: listAll(),
        data: pairs.filter((pair) => pair.admin_id === params.adminId).map(toRow),
      };
    }),
    handle(setBeacons, ({ params, body }, call) =>
      changeBeacons({ services, listAll }, call, params.adminId, body.updates),
    ),
  ];
}

function toRow(pair: PairRow): GameBeacons {
  return { id: pairId(pair), gameId: pair.game_key, gameName: pair.name, beacons: pair.beacons };
}

async function changeBeacons(
  { services, listAll }: { readonly services: Services; readonly listAll: ListBeacons },
  call: Call<Actor>,
  adminId: string,
  updates: readonly { readonly id: string; readonly beacons: readonly string[] }[],
): Promise<{ message: string; data: GameBeacons[] }> {
  const keys = new Set(listAll().map(({ publicKey }) => publicKey));
  const fields = updates.flatMap(({ beacons }, index) =>
    beacons.every((key) => keys.has(key)) && new Set(beacons).size === beacons.length
      ? []
      : [[`updates.${index}.beacons`, GAME_TEXTS.wrongBeacons]],
  );
  if (fields.length > 0)
    throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) as Record<string, string> });
  return runCommand(services, call, async (tx) => {
    const username = await requireAdmin(tx, call.actor, adminId);
    const pairs = await lockPairs(tx, call.actor, updates, adminId);
    const set = pairs.map((pair, index): PairRow => ({ ...pair, beacons: [...updates[index]!.beacons] }));
    for (const { network_id, game_id, beacons } of set)
      await tx.query(
        sql`update network_games set beacons = ${beacons} where network_id = ${network_id} and game_id = ${game_id}`,
      );
    const changes = set.flatMap((pair, index) => {
      const before = pairs[index]!.beacons;
      return before.join() === pair.beacons.join() ? [] : [{ pair, before, after: pair.beacons }];
    });
    return {
      result: { message: GAME_TEXTS.beaconsSet, data: set.map(toRow) },
      subject: changes.length === 0 ? null : `Set the beacons of ${wordsOf(changes)} of ${username}`,
      detail: {
        adminId,
        adminName: username,
        beacons: changes.map(({ pair, before, after }) => ({
          gameId: pair.game_key,
          gameName: pair.name,
          before,
          after,
        })),
      },
      guarded: changes.some(({ before, after }) => before.some((key) => !after.includes(key)))
        ? [{ kind: 'guards', networkId: set[0]!.network_id }]
        : [],
    };
  });
}

function wordsOf(changes: readonly { readonly pair: PairRow; readonly after: readonly string[] }[]): string {
  const [first] = changes;
  if (changes.length > 1) return `${changes.length} games`;
  const names = first!.after.map((publicKey) => beaconName({ publicKey })).join(' and ');
  return `${first!.pair.name} to ${names || 'none'}`;
}
