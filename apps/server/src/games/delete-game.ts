import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { tableHolds } from '../ledger/wallets.ts';
import { toGame } from './catalogue-rows.ts';
import { dropUnusedImages } from './game-images.ts';
import { gamePanelsChanged } from './pairs.ts';
import { lockGame, recordOf } from './save-game.ts';
import { sql } from '../db/sql.ts';
import type { HasDraws } from './save-game.ts';

/**
 * Deletes a game of which there was never a draw, so no ticket either: takes it from the admins that have it, and drops its images. Its row
 * stays, and its key stays taken. Throws NOT_FOUND, or GAME_IN_USE, also while an admin has balance on its table.
 */
export async function deleteGame(services: Services, call: Call<Actor>, id: string, hasDraws: HasDraws): Promise<void> {
  await runCommand(services, call, async (tx, at) => {
    const row = await lockGame(tx, id);
    if (await hasDraws(tx, id))
      throw new CallError('GAME_IN_USE', {
        message: `${row.name} has draws and may have tickets, which have to keep their game. Deactivate it instead.`,
      });
    if (await tableHolds(tx, id))
      throw new CallError('GAME_IN_USE', {
        message: `An admin has a game balance on ${row.name}. Reset it, or deactivate the game instead.`,
      });
    const taken = await gamePanelsChanged(services, tx, row);
    for (const networkId of taken)
      await tx.query(sql`delete from network_games where network_id = ${networkId} and game_id = ${id}`);
    await tx.query(sql`delete from game_times where game_id = ${id}`);
    const images = await tx.query<{ hash: Buffer }>(sql`delete from game_images where game_id = ${id} returning hash`);
    await tx.query(
      sql`update games set deleted_at = ${at}, status = 'inactive', labelled = false, logo = null, image = null where id = ${id}`,
    );
    await dropUnusedImages(tx, [
      ...images.map(({ hash }) => hash),
      ...[row.logo, row.image].filter((hash) => hash !== null),
    ]);
    return {
      result: undefined,
      subject: `Deleted game ${row.name}`,
      detail: {
        gameId: row.game_key,
        family: row.family,
        nodigit: row.digits,
        admins: taken.length,
        before: recordOf(toGame(row)),
      },
    };
  });
}
