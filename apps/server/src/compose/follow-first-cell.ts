import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import { createAskCell } from '../cells/call-cell.ts';
import { hasDraws } from '../draws/states/missing-draws.ts';
import { createCatalogueFollower, NotFollowed } from '../games/catalogue/follow-catalogue.ts';
import { followHouse } from '../house/follow-house.ts';
import type { HouseReader } from '../house/house.routes.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';

const PATIENCE_MS = 5 * 60_000;

export interface FirstCellFollower {
  follow(): Promise<void>;
  notices(): FoundNotice[];
}

/** Takes house and catalogue over from the first cell. */
export function createFirstCellFollower(
  services: Services,
  { logger, house }: { readonly logger: Pick<Logger, 'warn'>; readonly house: Pick<HouseReader, 'forget'> },
): FirstCellFollower {
  const ask = createAskCell(services);
  const followCatalogue = createCatalogueFollower(services, { ask, hasDraws });
  let trouble: { readonly since: Date; readonly reason: string } | undefined;
  const { clock } = services;
  return {
    async follow() {
      const problems = new Set<string>();
      // Cells of different versions may share games but no house.
      for (const followPart of [() => followHouse(services, ask, house.forget), followCatalogue])
        try {
          await followPart();
        } catch (error) {
          if (!(error instanceof NotFollowed) && !(error instanceof CallError)) throw error;
          problems.add(error.message);
        }
      if (problems.size === 0) {
        trouble = undefined;
        return;
      }
      // The next pass retries.
      const reason = [...problems].join(' ');
      if (reason !== trouble?.reason) logger.warn({ reason }, 'the first cell can not be followed');
      trouble = { since: trouble?.since ?? clock.now(), reason };
    },
    notices() {
      if (!trouble || clock.now().getTime() - trouble.since.getTime() < PATIENCE_MS) return [];
      return [{ code: 'CATALOGUE_BEHIND', since: trouble.since.toISOString(), detail: trouble.reason }];
    },
  };
}
