import type { AskCell } from '../../cells/call-cell.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { GAME_TEXTS } from '../games-texts.ts';
import type { HasDraws } from './save-game.ts';

export const DRAWS_CALL = 'cells/has-draws';

interface DrawnElsewhere {
  readonly hasDraws: boolean;
  /** A cell that does not answer may have draws. Null: the directory does not answer. */
  readonly silentCell?: string | null | undefined;
}

export interface DrawsOfCells {
  /** In other cells. */
  findElsewhere(this: void, id: string): Promise<DrawnElsewhere>;
  /** Asks now, so that no transaction waits for other cells. Decides later: throws NOT_READY then if one did not answer. */
  inAnyCell(this: void, id: string): Promise<HasDraws>;
}

export function drawsOfCells({ db, directory }: Services, ask: AskCell, hasDraws: HasDraws): DrawsOfCells {
  async function findElsewhere(id: string): Promise<DrawnElsewhere> {
    if (!directory) return { hasDraws: false };
    const call = { path: DRAWS_CALL, params: {}, query: { id }, caller: '', permissions: [] };
    const peers = await directory.peers().catch(() => undefined);
    if (!peers) return { hasDraws: false, silentCell: null };
    const answers = await Promise.all(
      peers.map(async (peer) => ({
        cell: peer.cell,
        answer: (await ask(peer, call).catch(() => undefined)) as { readonly hasDraws: boolean } | undefined,
      })),
    );
    return {
      hasDraws: answers.some(({ answer }) => answer?.hasDraws),
      silentCell: answers.find(({ answer }) => !answer)?.cell,
    };
  }
  return {
    findElsewhere,
    async inAnyCell(id) {
      const elsewhere = (await hasDraws(db, id)) ? undefined : await findElsewhere(id);
      return async (on, gameId) => {
        if (elsewhere?.hasDraws || (await hasDraws(on, gameId))) return true;
        if (elsewhere?.silentCell === undefined) return false;
        throw new CallError('NOT_READY', { message: GAME_TEXTS.cellSilent(elsewhere.silentCell) });
      };
    },
  };
}
