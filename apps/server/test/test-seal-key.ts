export const TEST_SEAL_KEY = new Uint8Array(32).fill(7);
export const TEST_SEAL_KEY_HEX = '07'.repeat(32);
