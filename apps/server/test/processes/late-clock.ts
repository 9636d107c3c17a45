/** Preloaded into a server: its clock is behind by `CLOCK_BEHIND_MS` until SIGUSR2. */
let behindMs = Number(process.env['CLOCK_BEHIND_MS']);
const machineMs = Date.now;
Date.now = () => machineMs() - behindMs;
process.once('SIGUSR2', () => (behindMs = 0));
