export const UNFINISHED = "('open', 'closed', 'drawn', 'settling')";

/** The result is public; payment may still be running. */
export const WITH_RESULT = "('settling', 'settled')";
