import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import { percentOf } from '@drawhouse/contract/core/primitives';
import type { NetworkSwap } from '../../accounts/move/staged-accounts.ts';
import type { LoggedPart } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { setGames } from './built-in-games.ts';
import { limitsOfPair } from '../pairs/game-limits.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { PairRow } from '../games.sql.ts';
import { GAME_TEXTS, GAME_SUBJECTS } from '../games-texts.ts';

/** Draws of a game with an unknown beacon would never open, so throws RULE_REFUSED. */
export async function requireBeacons(on: Queryable, staged: number, known: readonly string[]): Promise<void> {
  const [missing] = await on.query<{ key: string }>(
    sql`select key from network_games, unnest(beacons) as key where network_id = ${staged} and key <> all(${known}::text[]) limit 1`,
  );
  if (missing)
    throw new CallError('RULE_REFUSED', {
      message: GAME_TEXTS.beaconMissing(beaconName({ publicKey: missing.key })),
    });
}

type RemoteGame = Pick<
  PairRow,
  'game_key' | 'name' | 'win_percentage' | 'per_number' | 'per_ticket' | 'per_player' | 'beacons'
>;

/** Uses games and settings of the staged copy, except games deleted here. Returns log rows. */
export async function importGames(
  services: Pick<Services, 'events'>,
  tx: Tx,
  {
    adminId,
    staged,
    live,
    username,
    at,
  }: NetworkSwap & { readonly adminId: string; readonly username: string; readonly at: Date },
): Promise<LoggedPart[]> {
  const games = await tx.query<RemoteGame>(
    sql`select g.game_key, g.name, ng.win_percentage, ng.per_number, ng.per_ticket, ng.per_player, ng.beacons
     from network_games ng join games g on g.id = ng.game_id where ng.network_id = ${staged} and g.deleted_at is null order by g.id`,
  );
  await setGames(
    services,
    tx,
    live,
    games.map(({ game_key }) => game_key),
    at,
  );
  await tx.query(
    sql`update network_games l set win_percentage = b.win_percentage, per_number = b.per_number, per_ticket = b.per_ticket,
      per_player = b.per_player, beacons = b.beacons, closures = b.closures
     from network_games b where l.network_id = ${live} and b.network_id = ${staged} and b.game_id = l.game_id`,
  );
  const named = ({ game_key, name }: RemoteGame) => ({ gameId: game_key, gameName: name });
  return [
    {
      subject: GAME_SUBJECTS.percentagesRestored(username),
      detail: {
        percentages: games.map((game) => ({
          adminId,
          adminName: username,
          ...named(game),
          before: null,
          after: game.win_percentage === null ? null : percentOf(game.win_percentage),
        })),
      },
    },
    {
      subject: GAME_SUBJECTS.limitsRestored(username),
      detail: {
        adminId,
        adminName: username,
        limits: games.map((game) => ({ ...named(game), before: NO_LIMITS, after: limitsOfPair(game) })),
      },
    },
    {
      subject: GAME_SUBJECTS.beaconsRestored(username),
      detail: {
        adminId,
        adminName: username,
        beacons: games.flatMap((game) =>
          game.beacons.length > 0 ? [{ ...named(game), before: [], after: game.beacons }] : [],
        ),
      },
    },
  ];
}

const NO_LIMITS = limitsOfPair({ per_number: null, per_ticket: null, per_player: null });
