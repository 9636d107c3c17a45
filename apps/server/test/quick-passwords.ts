import { hashAtCost } from '../src/auth/password.ts';

// The least that argon2id takes. Loaded before anything is hashed: by the harness, and by `--import` in a server of the browser tests.
hashAtCost({ memory: 8, passes: 1 });
