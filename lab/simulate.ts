/**
 * `npm run lab -- simulate --players 50 --rate 20 --seconds 30 --url http://localhost:3000`: players over the public
 * API. See `--help`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, messageOf, patient, type Call, type Credentials } from '../tools/demo/client.ts';
import { demoPlayers } from '../tools/demo/plan.ts';
import { simulate } from './simulate/crowd.ts';
import { createHttpWire, ANSWER_MS } from './simulate/http-wire.ts';
import { makePlayers } from './simulate/make-players.ts';
import { BadOption, BOUNDS, readOptions, SOCKETS_BOUND, USAGE, type Options } from './simulate/options.ts';
import { progress, summary } from './simulate/simulate-report.ts';
import { createSocketWire } from './simulate/socket-wire.ts';
import { Tally } from './simulate/tally.ts';

const AT_ONCE = 16;
const LINES = 60;

interface Cast {
  readonly players: readonly Credentials[];
  readonly close: () => Promise<void>;
}

async function castOf({ from, players: count, over }: Options, call: Call): Promise<Cast> {
  if (from.kind === 'operator') {
    // Before any player: passwords exist nowhere else.
    if (from.save !== undefined) makeFile(from.save);
    const newPlayers = await makePlayers(call, from, count!, (sentence) => console.log(sentence)).catch(
      (error: unknown) => {
        if (from.save !== undefined) rmSync(from.save);
        throw error;
      },
    );
    if (from.save !== undefined) {
      const lines = newPlayers.players.map(({ username, password }) => `${username} ${password}\n`);
      writeFileSync(from.save, lines.join(''));
      console.log(`Their passwords are in ${from.save}: play with them again by --credentials ${from.save}.`);
    }
    return {
      players: newPlayers.players,
      async close() {
        if (from.save !== undefined) return;
        const points = await newPlayers.close();
        console.log(
          `The ${newPlayers.players.length} players are closed, and ${points} points are back with ${from.username}.`,
        );
        console.log('Wins of their last tickets stay in their wallets.');
      },
    };
  }
  const all = from.kind === 'file' ? readCredentials(from.file) : demoPlayers();
  const where = from.kind === 'file' ? `${from.file} names` : 'The demo has';
  if (count !== undefined && count > all.length)
    throw new BadOption(
      `${where} ${all.length} players, not ${count}. Ask for fewer, or let an --operator make them (--help says how).`,
    );
  const players = all.slice(0, count);
  if (over === 'socket' && players.length > BOUNDS.connections)
    throw new BadOption(`${where} ${players.length} players. ${SOCKETS_BOUND}`);
  return { players, close: async () => {} };
}

/** Never overwrites a file, which may be the only copy of other passwords. */
function makeFile(file: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'there is one already' : (error as Error).message;
    throw new BadOption(`The file ${file} can't be made: ${why}. --save takes the name of a new one.`);
  }
}

function readCredentials(file: string): Credentials[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadOption(`The file ${file} can't be read: ${(error as Error).message}.`);
  }
  const lines = text.split('\n').map((line) => line.trim());
  const players = lines.flatMap((line, index): Credentials[] => {
    if (line === '') return [];
    const [username, password, ...more] = line.split(/\s+/);
    if (!password || more.length > 0)
      throw new BadOption(`Line ${index + 1} of ${file} is not a username and a password with a space between.`);
    return [{ username: username!, password }];
  });
  if (players.length === 0) throw new BadOption(`The file ${file} has no players.`);
  if (players.length > BOUNDS.players) throw new BadOption(`${file} has more than ${BOUNDS.players} players.`);
  return players;
}

async function run(options: Options): Promise<void> {
  const { url, rate, seconds, over, connections, games, families, lines } = options;
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  // Cleanup continues after the stop signal.
  const { call } = connect(url, AT_ONCE, new AbortController().signal);
  await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch((error: unknown) => {
    throw new BadOption(`No server answers at ${url}: ${messageOf(error)}. Set --url to the server's address.`);
  });
  const { players, close } = await castOf(options, patient(call, stopping.signal));
  const wire = over === 'socket' ? createSocketWire(url) : createHttpWire(url, Math.min(connections, players.length));
  const tally = new Tally();
  const many = rate === Infinity ? 'as often as they get answers' : `${rate} times per second`;
  const who = players.length === 1 ? 'One player signs in' : `${players.length} players sign in`;
  console.log(`${who} at ${url}, to bet ${many} for ${seconds} s over ${over} …`);
  let startedAt = performance.now();
  let endedAt = startedAt;
  let reporting: NodeJS.Timeout | undefined;
  try {
    await simulate(
      {
        wire,
        call,
        players,
        rate,
        seconds,
        signal: stopping.signal,
        games,
        families,
        lines,
        together: true,
        onStart() {
          startedAt = performance.now();
          const everyMs = Math.max(1, Math.ceil(seconds / LINES)) * 1000;
          reporting = setInterval(() => {
            const line = progress(tally, performance.now() - startedAt);
            if (line) console.log(line);
          }, everyMs);
        },
      },
      tally,
    );
  } finally {
    endedAt = performance.now();
    clearInterval(reporting);
    wire.close();
    await close();
  }
  const elapsedS = Math.min(seconds, (endedAt - startedAt) / 1000);
  console.log(`\n${summary(tally, elapsedS, process.stdout.columns)}`);
  if (tally.accepted === 0) process.exitCode = 1;
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) console.log(USAGE);
  else await run(readOptions(args, process.env));
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof BadOption ? error.message : messageOf(error));
  process.exitCode = 1;
});
