/** SQL for the states of a draw that is not finished: its tickets are not all paid, nor given back. */
export const UNFINISHED = "('open', 'closed', 'drawn', 'settling')";

/** SQL for the states of a draw whose result is public: it is settled, or its players are being paid. */
export const WITH_RESULT = "('settling', 'settled')";
