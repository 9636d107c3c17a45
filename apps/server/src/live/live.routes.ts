import { addBalance, loadGame } from '@drawhouse/contract/live';
import { hundredthsOf } from '@drawhouse/contract/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { requirePair } from '../draws/operate-draw.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { changeGameBalance } from './game-balance.ts';
import { readPanel } from './panel.ts';

/** The routes of the live panel that are not draws: the panel once, and the game balance. */
export function liveRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(loadGame, async ({ query }, { actor }) =>
      readPanel(services, await requirePair(services.db, actor, query), 0),
    ),
    handle(addBalance, async ({ body }, call) => {
      const { gameBalance } = await changeGameBalance(services, call, {
        ...body,
        amount: body.balance === undefined ? undefined : hundredthsOf(body.balance)!,
      });
      return {
        message: body.type === 'add' ? 'Balance added successfully!' : 'Balance Reset successfully!',
        gameBalance,
      };
    }),
  ];
}
