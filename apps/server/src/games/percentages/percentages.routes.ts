import { percentages, setPercentages } from '@drawhouse/contract/games/percentages';
import type { Actor } from '../../accounts/authority.ts';
import type { Services } from '../../platform/services.ts';
import { handle } from '../../platform/http/handler.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { readUserGames } from '../games.routes.ts';
import { listPairs } from '../games.sql.ts';
import { readPercentages } from './read-percentages.ts';
import { changePercentages } from './set-percentages.ts';
import type { FindNextDraws } from './set-percentages.ts';

export function percentagesRoutes(services: Services, findNextDraws: FindNextDraws): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(percentages, async (_input, { actor }: { actor: Actor }) => ({
      data: await readPercentages(services, db, await listPairs(db, actor)),
      ...(await readUserGames(db, actor)),
    })),
    handle(setPercentages, ({ body }, call) => changePercentages(services, findNextDraws, call, body.updates)),
  ];
}
