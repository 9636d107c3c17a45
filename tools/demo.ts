/**
 * `npm run demo`: its own data folder, accounts and simulated players, all over the public API. A restart continues.
 */
import { give, makeNetwork, countPlannedAccounts } from './demo/demo-network.ts';
import { connect, messageOf, patient, pause, type Call } from './demo/client.ts';
import { DEMO_PASSWORD, demoPlayers, onePerRole, BadPlayers, readPlayers } from './demo/plan.ts';
import { ServerEnded, startServer } from './demo/demo-server.ts';
import { simulate } from '../lab/simulate/crowd.ts';
import { createHttpWire } from '../lab/simulate/http-wire.ts';
import { Tally } from '../lab/simulate/tally.ts';

const BETS_PER_SECOND = 6;
/** The server checks one password per address at a time. */
const AT_ONCE = 8;

async function main(): Promise<number> {
  const simulated = readPlayers(process.argv.slice(2));
  const startedAt = performance.now();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());

  console.log('Starting the server …');
  const server = await startServer(stopping.signal);
  let endedWith: number | undefined;
  void server.ended.then((code) => {
    endedWith = code;
    stopping.abort();
  });
  const client = connect(server.url, AT_ONCE, stopping.signal);
  try {
    await play(server.url, client.call, { simulated, signal: stopping.signal, startedAt });
  } catch (error) {
    // Cut off by the stop or by the server's exit.
    if (!stopping.signal.aborted) await Promise.race([server.ended, pause(1_000)]);
    if (!stopping.signal.aborted) throw error;
  } finally {
    stopping.abort();
    await client.quiet();
    if (endedWith === undefined) {
      console.log('Stopping …');
      await server.stop();
    } else {
      console.error(`The server stopped with exit code ${endedWith}.`);
    }
  }
  return endedWith ?? 0;
}

async function play(
  url: string,
  call: Call,
  {
    simulated,
    signal,
    startedAt,
  }: { readonly simulated: number; readonly signal: AbortSignal; readonly startedAt: number },
): Promise<void> {
  console.log(
    `The server is ready at ${url}. Setting up the demo network of ${countPlannedAccounts(simulated)} accounts …`,
  );
  const { players, created, accounts, notes } = await makeNetwork(patient(call, signal), simulated);
  const bots = demoPlayers(simulated).filter(({ username }) => players.has(username));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${accounts} accounts, ${created} of them new; ready after ${seconds} s.`);
  for (const note of notes) console.log(`Skipped: ${note}`);
  console.log(`\nSign in with any of these. No simulated player uses them.\n\n${signInTable(url)}\n`);
  console.log(`Public pages: ${url}/welcome`);
  console.log(`${bots.length} simulated players place about ${BETS_PER_SECOND} bets a second. Press Ctrl-C to stop.`);

  const tally = new Tally();
  const wire = createHttpWire(url, AT_ONCE);
  await simulate(
    {
      wire,
      call,
      players: bots,
      rate: BETS_PER_SECOND,
      signal,
      topUp: (username) => give(players.get(username)!),
    },
    tally,
  );
  wire.close();
  console.log(`${tally.accepted} bets of ${tally.points} points in total, credit topped up ${tally.topUps} times.`);
}

function signInTable(url: string): string {
  const rows = [
    ['Role', 'Username', 'Password', 'Address'],
    ...onePerRole().map(({ role, username }) => [
      role === 'user' ? 'user (player)' : role,
      username,
      DEMO_PASSWORD,
      role === 'user' ? `${url}/sign-in` : url,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('   ')}`.trimEnd());
  return [lines[0], `  ${widths.map((width) => '─'.repeat(width)).join('   ')}`, ...lines.slice(1)].join('\n');
}

main().then(
  (exitCode) => (process.exitCode = exitCode),
  (error: unknown) => {
    if (error instanceof BadPlayers) console.error(error.message);
    else if (!(error instanceof ServerEnded)) console.error(`The demo had to stop. ${messageOf(error)}`);
    process.exitCode = error instanceof ServerEnded ? error.exitCode : error instanceof BadPlayers ? 2 : 1;
  },
);
