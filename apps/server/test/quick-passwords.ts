import { setPasswordLimits } from '../src/auth/passwords/password.ts';

// Cheapest argon2id, five minutes in a queue. Must load before any hashing: by the harness, or `--import` in
// browser-test servers.
setPasswordLimits({ memory: 8, passes: 1 }, 5 * 60_000);
