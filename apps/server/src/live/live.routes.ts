import { loadGame, lottoJodiCross } from '@drawhouse/contract/live/live';
import { liveFrequencies, liveResult } from '@drawhouse/contract/live/live-results';
import { liveTables } from '@drawhouse/contract/live/live-tables';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../services.ts';
import { requirePair } from '../games/pairs.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { readJodiCross } from './jodi-cross.ts';
import { readState, wholePanel } from './panel.ts';
import { readFrequencies, readResult } from './read-result.ts';
import { createLiveTables } from './read-live-tables.ts';

/** The routes of the live panel, for those who want it once, of its results, and of all panels together. */
export function liveRoutes(services: Services): BoundRoute<Actor>[] {
  const { db } = services;
  const readLiveTables = createLiveTables(services);
  return [
    handle(loadGame, async ({ query }, { actor }) =>
      wholePanel(await readState(services, await requirePair(db, actor, query)), 0),
    ),
    handle(lottoJodiCross, async ({ query: { admin, gameId } }, { actor }) =>
      readJodiCross(services, await requirePair(db, actor, { adminId: admin, gameId })),
    ),
    handle(liveTables, (_input, { actor }: { actor: Actor }) => readLiveTables(actor)),
    handle(liveResult, async ({ query }, { actor }) =>
      readResult(db, await requirePair(db, actor, query), query.drawId),
    ),
    handle(liveFrequencies, async ({ query }, { actor }) => readFrequencies(db, await requirePair(db, actor, query))),
  ];
}
