import { randomUUID } from 'node:crypto';
import { pause } from '../../../tools/demo/client.ts';
import { createHttpWire, type Sender } from '../../simulate/http-wire.ts';
import { createSocketWire } from '../../simulate/socket-wire.ts';
import { judge, shown } from '../measure/contest.ts';
import { load, rateOf } from '../tickets/ticket-load.ts';
import { startServed } from '../fixtures/bench-server.ts';
import { BETS_A_SECOND, GAMES, openWatchers, read, type PanelField } from './panel-field.ts';

const SECONDS = 20;
const CONNECTIONS = 64;
/** Exceeds all other stakes on its number, so the sum reveals the number of probes seen. */
const PROBE_UNITS = 100_000;
const PROBE_EVERY_MS = 40;
const PROBED = { drawno: '500', head: 'straight' };
const PROBED_KEY = 'straight:500';

export async function benchDelay({ url, adminId, players, adminTokens }: PanelField): Promise<void> {
  const gameId = GAMES['3D'];
  const server = await startServed(url);
  try {
    const bets = (seconds: number) =>
      load(server.url, createHttpWire(server.url, CONNECTIONS), players.slice(1), {
        rate: BETS_A_SECOND,
        seconds,
        games: [gameId],
      });
    await bets(5);
    const sentMs: number[] = [];
    const answeredMs: number[] = [];
    const seenMs: number[] = [];
    let atFirst = 0;
    const panel = await openWatchers(
      server.url,
      await adminTokens(1),
      { gameId, adminId, changes: true },
      (_socket, text) => {
        const now = performance.now();
        const sent = read(text);
        if (sent.event === 'responseData') {
          atFirst = Math.floor((sent.panel.stakes[PROBED_KEY] ?? 0) / PROBE_UNITS);
          return;
        }
        const units = sent.change.stakes[PROBED_KEY];
        if (units === undefined) return;
        const seen = Math.floor(units / PROBE_UNITS) - atFirst;
        while (seenMs.length < seen) seenMs.push(now);
      },
    );
    const wire = createSocketWire(server.url);
    const player = players[0] as { username: string; token: string };
    const prober: Sender = { username: player.username, token: player.token };
    await wire.join(prober);
    const probe = async (): Promise<void> => {
      const lines = [{ ...PROBED, qty: PROBE_UNITS }];
      const body = JSON.stringify({ gameId, requestId: randomUUID(), lines });
      sentMs.push(performance.now());
      await new Promise<void>((resolve, reject) =>
        wire.bet(prober, body, ({ accepted, code }) => {
          answeredMs.push(performance.now());
          if (accepted) resolve();
          else reject(new Error(`A bet that is followed was refused: ${code}.`));
        }),
      );
    };
    const loading = bets(SECONDS);
    const until = performance.now() + (SECONDS - 1) * 1000;
    while (performance.now() < until) {
      // Probes run one by one, so answers and sightings share an index.
      await probe();
      await pause(PROBE_EVERY_MS);
    }
    const rate = rateOf(await loading);
    await pause(1_000);
    wire.close();
    panel.close();
    if (seenMs.length < sentMs.length) throw new Error(`Only ${seenMs.length} of ${sentMs.length} bets were seen.`);
    // Clamped at zero: a panel may show a bet before its sender gets the answer.
    const fromCommit = seenMs.map((ms, index) => Math.max(0, ms - answeredMs[index]!)).toSorted((a, b) => a - b);
    const fromSending = seenMs.map((ms, index) => ms - sentMs[index]!).toSorted((a, b) => a - b);
    const at = (values: readonly number[], part: number): number => values[Math.floor((values.length - 1) * part)]!;
    console.log(`${shown(rate)} bets/s, and ${sentMs.length} measured bets\n`);
    console.log('| to the panel, ms | p50 | p99 | most |\n|---|--:|--:|--:|');
    for (const [name, values] of Object.entries({
      'from the answer to the bet': fromCommit,
      'from its sending': fromSending,
    }))
      console.log(`| ${name} | ${[0.5, 0.99, 1].map((part) => shown(at(values, part))).join(' | ')} |`);
    judge([
      { label: 'bets per second', value: rate, atLeast: BETS_A_SECOND * 0.95 },
      { label: 'commit to client, p99', value: at(fromCommit, 0.99), atMost: 250, unit: ' ms' },
    ]);
  } finally {
    await server.stop();
  }
}
