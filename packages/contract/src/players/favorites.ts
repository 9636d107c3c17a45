import * as z from 'zod/mini';
import { gamePair } from '../games/game-pair.ts';
import { done, id, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { FAVORITE_LIMITS } from './player-limits.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { PLAYER_FIELD_TEXTS } from './player-texts.ts';

const { name, text } = FAVORITE_LIMITS;

const favorite = z.object({
  _id: id,
  name: z.string(),
  /** Bets as `expand` reads them: `7*5`, one per line. */
  bets: z.string(),
});

const favorites = z.array(favorite);

export const listFavorites = route({
  method: 'GET',
  path: 'app/favorites',
  summary: "The player's saved lists of bets of a game, newest first.",
  access: ['user'],
  query: z.object({ gameId: gamePair.gameId }),
  response: z.object({ ...success, data: favorites }),
});

export const saveFavorite = route({
  method: 'PUT',
  path: 'app/favorites',
  summary:
    'Saves a list of bets under a name, and replaces the one of that name. The bets must fit the game. ' +
    `At most ${FAVORITE_LIMITS.most} per game.`,
  access: ['user'],
  sensitive: false,
  body: z.object({
    gameId: gamePair.gameId,
    name: z
      .string({ error: PLAYER_FIELD_TEXTS.nameMissing })
      .check(
        z.trim(),
        z.minLength(1, { error: PLAYER_FIELD_TEXTS.nameMissing }),
        z.maxLength(name, { error: CORE_TEXTS.tooLong(name) }),
      ),
    bets: z
      .string({ error: PLAYER_FIELD_TEXTS.betsMissing })
      .check(
        z.minLength(1, { error: PLAYER_FIELD_TEXTS.betsMissing }),
        z.maxLength(text, { error: CORE_TEXTS.tooLong(text) }),
      ),
  }),
  response: z.object({ ...done.shape, data: favorites }),
  errors: ['GAME_UNAVAILABLE', 'RULE_REFUSED'],
});

export const deleteFavorite = route({
  method: 'DELETE',
  path: 'app/favorites/:favoriteId',
  summary: "Deletes one of the player's saved lists of bets.",
  access: ['user'],
  sensitive: false,
  params: { favoriteId: id },
  response: done,
  errors: ['NOT_FOUND'],
});

export const pinGame = route({
  method: 'PUT',
  path: 'app/pins',
  summary: 'Pins a game to the top of the lobby on all devices of the player, or unpins it.',
  access: ['user'],
  sensitive: false,
  body: z.object({ gameId: gamePair.gameId, pinned: z.boolean({ error: CORE_TEXTS.trueOrFalse }) }),
  response: done,
  errors: ['GAME_UNAVAILABLE'],
});
