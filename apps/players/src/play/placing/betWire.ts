import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../lib/playerApi.ts';
import { routes } from '../../lib/playerRoutes.ts';
import type { BetAnswer, KeptBet } from './keptBet.ts';

/** An answer is waited for so long; then it is asked what became of the bet. The server answers every call within 10 seconds. */
const WAIT_MS = 12_000;
/** Where the server wants to be asked again, and does not say when. */
const AGAIN_MS = 1_000;
/** With these the server did nothing, and may do it when it is asked again. */
const LATER: readonly string[] = ['NOT_READY', 'THROTTLED', 'REQUEST_TIMEOUT'];
/** With these it is not told whether something was done; the last of them is of a request that this client has not sent. */
const UNTOLD: readonly string[] = [
  'NO_RESPONSE',
  'UNREADABLE',
  'UNKNOWN',
  'INTERNAL',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_CONFLICT',
];

/** What a failed call says of a bet that it was to place, or that it asked for. */
function answerOfFailure(error: unknown, asked: boolean): BetAnswer {
  if (!(error instanceof ApiError)) return { says: 'nothing' };
  const { code, message, fields, retryAfterS } = error;
  if (LATER.includes(code)) return { says: 'later', waitMs: retryAfterS === null ? AGAIN_MS : retryAfterS * 1_000 };
  if (asked) {
    if (code === 'NOT_PLACED') return { says: 'not placed' };
    // There was a ticket; it has been cleared since.
    return code === 'NOT_FOUND' ? { says: 'placed', ticket: null } : { says: 'nothing' };
  }
  if (UNTOLD.includes(code)) return { says: 'nothing' };
  return { says: 'refused', refusal: { code, message, fields } };
}

/** Sends a bet, always for the draw that it names. `took` hears of the wallet after it. */
export async function sendBet(bet: KeptBet, took: (walletBalance: number) => void): Promise<BetAnswer> {
  const { gameId, drawId, requestId } = bet;
  try {
    const body = { gameId, drawId, requestId, lines: [...bet.lines] };
    const answer = await call(routes.placeBet, { body }, { signal: AbortSignal.timeout(WAIT_MS) });
    took(answer.walletBalance);
    return { says: 'placed', ticket: answer.ticket };
  } catch (error) {
    return answerOfFailure(error, false);
  }
}

/** Asks what became of a bet. */
export async function askForBet({ requestId }: KeptBet): Promise<BetAnswer> {
  try {
    const { ticket } = await call(
      routes.betOfRequest,
      { params: { requestId } },
      { signal: AbortSignal.timeout(WAIT_MS) },
    );
    return { says: 'placed', ticket };
  } catch (error) {
    return answerOfFailure(error, true);
  }
}
