import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import type { Actor } from '../../accounts/authority.ts';
import type { Services } from '../../platform/services.ts';
import { handle } from '../../platform/http/handler.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { changeLimits, readGameLimits } from './game-limits.ts';

export function limitsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(listLimits, async ({ params }, { actor }: { actor: Actor }) => ({
      data: await readGameLimits(services.db, actor, params.adminId),
    })),
    handle(setLimits, ({ params, body }, call) => changeLimits(services, call, params.adminId, body.updates)),
  ];
}
