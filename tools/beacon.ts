/**
 * Runs a beacon: publishes a verifiable, unpredictable value each second. Meant for another party on another machine.
 * See docs/manual/beacon.md.
 *
 *   npm run beacon -- --key FILE [--host HOST] [--port PORT]
 */
import { parseArgs } from 'node:util';
import { callerFile, runCommandLine } from '../apps/server/src/commands/command-line.ts';
import { ensureBeaconKey, serveBeacon } from './beacon/serve-beacon.ts';

const MOST_PORT = 65_535;

const USAGE = `Usage: npm run beacon -- --key FILE [options]

Publishes the BLS signature of a round number each second, by drand's HTTP API (bls-unchained-g1-rfc9380). A server with
this beacon in BEACONS mixes these values into its draws. Have another party run it: anyone with its key knows its
future values.

  --key FILE    its secret key, 64 hex digits; created at the first start
  --host HOST   address to listen on; by default 127.0.0.1
  --port PORT   by default 3900`;

interface BeaconWish {
  readonly key: string;
  readonly host: string;
  readonly port: number;
}

function read(args: readonly string[]): BeaconWish {
  const { values } = parseArgs({
    args: [...args],
    options: {
      key: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '3900' },
    },
  });
  const { key, host } = values;
  if (key === undefined) throw new Error('--key is missing: the file of the secret key.');
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= MOST_PORT)) throw new Error(`--port must be a whole number from 0 to ${MOST_PORT}.`);
  return { key, host, port };
}

await runCommandLine<BeaconWish>({
  usage: USAGE,
  read,
  async run({ key, host, port }) {
    const beacon = await serveBeacon(await ensureBeaconKey(callerFile(key)), { host, port, nowMs: Date.now });
    console.log(`Beacon on ${beacon.url}. Servers use it with BEACONS=ADDRESS#${beacon.publicKey}`);
    await new Promise((stopped) => process.once('SIGINT', stopped).once('SIGTERM', stopped));
    await beacon.close();
    return 0;
  },
});
