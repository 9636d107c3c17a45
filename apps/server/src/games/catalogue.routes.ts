import * as contract from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { handle, handleFiles } from '../http/handler.ts';
import type { BoundRoute, Call } from '../http/handler.ts';
import { serveList } from '../lists/serve-list.ts';
import { findGame } from './catalogue-rows.ts';
import { decodeImage } from './decode-image.ts';
import { deleteGame } from './delete-game.ts';
import { findImage } from './game-images.ts';
import { gameSource } from './game-source.ts';
import { addGame, changeGame, toggleGame } from './save-game.ts';
import type { HasDraws } from './save-game.ts';

/** The routes by which the catalogue is kept, and that of its images. */
export function catalogueRoutes(services: Services, hasDraws: HasDraws): BoundRoute<Actor>[] {
  const requireGame = async (id: string): Promise<Game> => {
    const game = await findGame(services.db, id);
    if (!game) throw new CallError('NOT_FOUND', { message: contract.NO_GAME });
    return game;
  };
  return [
    ...serveList(services, contract.gameList, ({ actor }: { actor: Actor }) => gameSource(actor)),
    handleFiles(contract.addGame, decodeImage, async ({ body, files }, call: Call<Actor>) => {
      const data = await addGame(services, call, body, files);
      return { message: `Game "${data.gameName}" created successfully`, data };
    }),
    handleFiles(contract.changeGame, decodeImage, async ({ params, body, files }, call: Call<Actor>) => {
      const data = await changeGame(services, call, { id: params.id, body, files }, hasDraws);
      return { message: `Game "${data.gameName}" updated successfully`, data };
    }),
    handle(contract.oneGame, async ({ params: { id } }) => {
      return { data: await requireGame(id), hasDraws: await hasDraws(services.db, id) };
    }),
    handle(contract.toggleGame, async ({ params: { id, action } }, call: Call<Actor>) => {
      const data = await toggleGame(services, call, { id, active: action === 'activate' });
      return { message: `Game "${data.gameName}" ${action}d successfully`, data };
    }),
    handle(contract.deleteGame, async ({ params: { id } }, call: Call<Actor>) => {
      await deleteGame(services, call, id, hasDraws);
      return { message: 'Game deleted successfully' };
    }),
    handle(contract.storedImage, async ({ params }) => {
      const content = await findImage(services.db, params.hash);
      if (!content) throw new CallError('NOT_FOUND');
      return { content };
    }),
  ];
}
