/** SQL for the states of a draw that is not finished: its tickets are not all paid, nor given back. */
export const UNFINISHED = "('open', 'closed', 'drawn', 'settling')";

/** The states of a draw whose result is public: it is settled, or its players are being paid. */
const RESULT_STATES: readonly string[] = ['settling', 'settled'];

/** SQL for the states of a draw whose result is public, in brackets. */
export const WITH_RESULT = `(${RESULT_STATES.map((state) => `'${state}'`).join(', ')})`;

/** Whether the result of a draw of this state is public. */
export function hasResult(state: string): boolean {
  return RESULT_STATES.includes(state);
}
