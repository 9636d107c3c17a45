import { pointsText } from '@drawhouse/contract/frame/primitives';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { changeOf } from '../activity/changes.ts';
import type { Tx } from '../db/database.ts';
import { NOWHERE } from '../http/handler.ts';
import type { Services } from '../services.ts';
import { noteKnowable } from './kept-seed.ts';
import type { WouldPay } from './kept-seed.ts';
import { resultWords } from './log-texts.ts';

/**
 * Marks those of some void draws of a network whose results were knowable, as all parts of their seeds are known: with the result, and what it would
 * have paid. Nobody can void a draw for its result and leave no trace. Each is logged once.
 */
export async function markKnowable(
  services: Services,
  tx: Tx,
  networkId: number,
  drawIds: readonly string[],
  wouldPay: WouldPay,
): Promise<void> {
  const noted = await noteKnowable(services, tx, networkId, drawIds, wouldPay);
  if (noted.length === 0) return;
  await appendActivity(
    tx,
    networkId,
    services,
    noted.map(({ draw, result, label, booster, pays }) => ({
      accountId: null,
      username: SYSTEM,
      subject: `The result of ${draw.name}, draw ${draw.number}, which is void, was knowable: ${label} booster ${booster}`,
      origin: NOWHERE,
      detail: { knowableDrawId: draw.id, knowable: result, knowableBooster: booster },
      changes: [
        ...changeOf('Result that was knowable', null, resultWords(draw, result, booster)),
        ...changeOf('It would have paid', null, pays === null ? 'More than the books can hold' : pointsText(pays)),
      ],
    })),
  );
}
