import { percentOf } from '@drawhouse/contract/frame/primitives';
import type { Exchanged } from '../accounts/staged-accounts.ts';
import type { LoggedPart } from '../activity/run-command.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { setGames } from './built-in-games.ts';
import { limitsOfPair } from './game-limits.ts';
import type { PairRow } from './games.sql.ts';

/** A game that a network had elsewhere, with what was set for it there. */
type GameElsewhere = Pick<PairRow, 'game_key' | 'name' | 'win_percentage' | 'per_number' | 'per_ticket' | 'per_player'>;

/**
 * Gives a network that is moved here the games that it had elsewhere, as what stands beside has them, with their win percentages and limits; those that
 * were deleted here it does not get. Gives the rows of the log that tell of it.
 */
export async function takeOverGames(
  services: Pick<Services, 'events'>,
  tx: Tx,
  {
    adminId,
    beside,
    live,
    username,
    at,
  }: Exchanged & { readonly adminId: string; readonly username: string; readonly at: Date },
): Promise<LoggedPart[]> {
  const games = await tx.query<GameElsewhere>(
    `select g.game_key, g.name, ng.win_percentage, ng.per_number, ng.per_ticket, ng.per_player
     from network_games ng join games g on g.id = ng.game_id where ng.network_id = $1 and g.deleted_at is null order by g.id`,
    [beside],
  );
  await setGames(
    services,
    tx,
    live,
    games.map(({ game_key }) => game_key),
    at,
  );
  await tx.query(
    `update network_games l set win_percentage = b.win_percentage, per_number = b.per_number, per_ticket = b.per_ticket, per_player = b.per_player
     from network_games b where l.network_id = $1 and b.network_id = $2 and b.game_id = l.game_id`,
    [live, beside],
  );
  const named = ({ game_key, name }: GameElsewhere) => ({ gameId: game_key, gameName: name });
  return [
    {
      subject: `Set the win percentages that games of ${username} had before`,
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
      subject: `Set the limits that games of ${username} had before`,
      detail: {
        adminId,
        adminName: username,
        limits: games.map((game) => ({ ...named(game), before: NO_LIMITS, after: limitsOfPair(game) })),
      },
    },
  ];
}

const NO_LIMITS = limitsOfPair({ per_number: null, per_ticket: null, per_player: null });
