import type { Logger } from 'pino';
import { createAskCell } from '../cells/call-cell.ts';
import { hasDraws } from '../draws/states/missing-draws.ts';
import { createCatalogueFollower, NotFollowed } from '../games/catalogue/follow-catalogue.ts';
import { followHouse } from '../house/follow-house.ts';
import type { HouseReader } from '../house/house.routes.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';

export interface FirstCellFollower {
  follow(): Promise<void>;
}

/** Takes house and catalogue over from the first cell. */
export function createFirstCellFollower(
  services: Services,
  { logger, house }: { readonly logger: Pick<Logger, 'warn'>; readonly house: Pick<HouseReader, 'forget'> },
): FirstCellFollower {
  const ask = createAskCell(services);
  const followCatalogue = createCatalogueFollower(services, { ask, hasDraws });
  let reason: string | undefined;
  return {
    async follow() {
      try {
        await followHouse(services, ask, house.forget);
        await followCatalogue();
        reason = undefined;
      } catch (error) {
        if (!(error instanceof NotFollowed) && !(error instanceof CallError)) throw error;
        // The next pass retries.
        if (error.message !== reason) logger.warn({ reason: error.message }, 'the first cell can not be followed');
        reason = error.message;
      }
    },
  };
}
