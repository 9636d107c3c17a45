import { createAskCell } from '../../cells/call-cell.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { GAME_TEXTS } from '../games-texts.ts';
import type { HasDraws } from './save-game.ts';

export const DRAWS_CALL = 'cells/has-draws';

interface DrawnElsewhere {
  readonly hasDraws: boolean;
  /** Did not answer, so it may have draws. */
  readonly silentCell: string | undefined;
}

/** Asks the other cells whether they have draws of a game. */
export async function findDrawsElsewhere({ clock, directory }: Services, id: string): Promise<DrawnElsewhere> {
  const ask = createAskCell({ clock, directory });
  const call = { path: DRAWS_CALL, params: {}, query: { id }, caller: '', permissions: [] };
  const peers = await directory?.peers().catch(() => undefined);
  if (directory && !peers) return { hasDraws: false, silentCell: 'The directory' };
  const answers = await Promise.all(
    (peers ?? []).map(async (peer) => ({
      cell: peer.cell,
      answer: (await ask(peer, call).catch(() => undefined)) as { readonly hasDraws: boolean } | undefined,
    })),
  );
  return {
    hasDraws: answers.some(({ answer }) => answer?.hasDraws),
    silentCell: answers.find(({ answer }) => !answer)?.cell,
  };
}

/** Asks now, so that no transaction waits for other cells. Decides later: throws NOT_READY then if one did not answer. */
export async function drawnInAnyCell(services: Services, hasDraws: HasDraws, id: string): Promise<HasDraws> {
  const elsewhere = (await hasDraws(services.db, id)) ? undefined : await findDrawsElsewhere(services, id);
  return async (on, gameId) => {
    if (elsewhere?.hasDraws || (await hasDraws(on, gameId))) return true;
    if (elsewhere?.silentCell === undefined) return false;
    throw new CallError('NOT_READY', { message: GAME_TEXTS.cellSilent(elsewhere.silentCell) });
  };
}
