/** The private seal key of the servers and commands of tests, which signs their backups. */
export const TEST_SEAL_KEY = new Uint8Array(32).fill(7);
/** The same as the setting `SEAL_KEY` has it. */
export const TEST_SEAL_KEY_HEX = '07'.repeat(32);
