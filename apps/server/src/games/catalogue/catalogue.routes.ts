import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';
import * as contract from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import type { Actor } from '../../accounts/authority.ts';
import { createAskCell } from '../../cells/call-cell.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { handle, handleFiles, type BoundRoute, type Call } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import { findGame, toGame } from './catalogue-rows.ts';
import { drawsOfCells } from './drawn-in-any-cell.ts';
import { decodeImage, findImage } from './game-images.ts';
import { gameSource } from './game-source.ts';
import { addGame, changeGame, toggleGame, lockGame, recordOf, removeGame, type HasDraws } from './save-game.ts';
import { runCommand } from '../../activity/run-command.ts';
import { hasTableBalance } from '../../ledger/wallets.ts';
import { deletedSubject, GAME_TEXTS } from '../games-texts.ts';

export function catalogueRoutes(services: Services, hasDraws: HasDraws): BoundRoute<Actor>[] {
  // One for all calls: it knows which cells just failed.
  const draws = drawsOfCells(services, createAskCell(services), hasDraws);
  const requireGame = async (id: string): Promise<Game> => {
    const game = await findGame(services.db, id);
    if (!game) throw new CallError('NOT_FOUND', { message: GAME_FIELD_TEXTS.notFound });
    return game;
  };
  return [
    ...serveList(services, contract.gameList, ({ actor }: { actor: Actor }) => gameSource(actor)),
    handleFiles(contract.addGame, decodeImage, async ({ body, files }, call: Call<Actor>) => {
      const data = await addGame(services, call, body, files);
      return { message: GAME_TEXTS.added(data.gameName), data };
    }),
    handleFiles(contract.changeGame, decodeImage, async ({ params, body, files }, call: Call<Actor>) => {
      const { id } = params;
      const game = await findGame(services.db, id);
      const { family = game?.family, nodigit = game?.nodigit } = body;
      const isSame = family === game?.family && nodigit === game?.nodigit;
      // If another call has changed them meanwhile, this one may not change them back unasked.
      const drawn = isSame ? () => Promise.resolve(true) : await draws.inAnyCell(id);
      const data = await changeGame(services, call, { id, body, files }, drawn);
      return { message: GAME_TEXTS.changed(data.gameName), data };
    }),
    handle(contract.oneGame, async ({ params: { id } }) => {
      const data = await requireGame(id);
      if (await hasDraws(services.db, id)) return { data, hasDraws: true };
      return { data, ...(await draws.findElsewhere(id)) };
    }),
    handle(contract.toggleGame, async ({ params: { id, action } }, call: Call<Actor>) => {
      const data = await toggleGame(services, call, { id, active: action === 'activate' });
      return { message: GAME_TEXTS.toggled(data.gameName, action), data };
    }),
    handle(contract.deleteGame, async ({ params: { id } }, call: Call<Actor>) => {
      await deleteGame(services, call, id, await draws.inAnyCell(id));
      return { message: GAME_TEXTS.deleted };
    }),
    handle(contract.storedImage, async ({ params }) => {
      const content = await findImage(services.db, params.hash);
      if (!content) throw new CallError('NOT_FOUND');
      return { content };
    }),
  ];
}

/** Requires no draws, hence no tickets. Drops images, keeps row and key. */
async function deleteGame(services: Services, call: Call<Actor>, id: string, hasDraws: HasDraws): Promise<void> {
  await runCommand(services, call, async (tx, at) => {
    const row = await lockGame(tx, id);
    if (await hasDraws(tx, id))
      throw new CallError('GAME_IN_USE', {
        message: GAME_TEXTS.hasDraws(row.name),
      });
    if (await hasTableBalance(tx, id))
      throw new CallError('GAME_IN_USE', {
        message: GAME_TEXTS.hasBalance(row.name),
      });
    const admins = await removeGame(services, tx, row, at);
    return {
      result: undefined,
      subject: deletedSubject(row.name),
      detail: {
        gameId: row.game_key,
        family: row.family,
        nodigit: row.digits,
        admins,
        before: recordOf(toGame(row)),
      },
    };
  });
}
