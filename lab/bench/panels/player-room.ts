import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GameNews } from '@drawhouse/contract/players/player-live';
import { pause } from '../../../tools/demo/client.ts';
import { PACKET } from '../../simulate/socket-wire.ts';
import { byTurns, cells, judge, shown } from '../measure/contest.ts';
import { cpuOf } from '../measure/process-usage.ts';
import { openSessions } from '../tickets/ticket-field.ts';
import { startServed } from '../fixtures/bench-server.ts';
import { GAMES, openWatchers, type PanelField, type Watchers } from './panel-field.ts';

const SOCKETS = 10_000;
const SOCKETS_PER_SESSION = 6;
const ROUNDS = 3;
const SECONDS = 10;
/** Far above real rates, so the cost per message stands out from background work. */
const NEWS_A_SECOND = 4;
const BARE_SERVER = fileURLToPath(new URL('../../../apps/server/test/clients/bare-socket-io.ts', import.meta.url));
const NEWS = `${PACKET.event}["gameNews",`;

/** Compares CPU per message with bare Socket.IO for one room of players. Includes reading games and changed wallets. */
export async function benchPlayers({ db, url, networkId, players }: PanelField): Promise<void> {
  const gameId = GAMES['3D'];
  const sessions = await accountsFor(db, players);
  const server = await startServed(url);
  const bare = fork(BARE_SERVER, { stdio: 'inherit' });
  const bodies: GameNews[] = [];
  const change = async (): Promise<void> => {
    await db.query(
      `update draws d set closes_at = closes_at - interval '1 millisecond' from games g
       where g.id = d.game_id and d.network_id = $1 and g.game_key = $2 and d.status = 'open'`,
      [networkId, gameId],
    );
    await db.query('select pg_notify($1, $2)', [
      'panels',
      JSON.stringify({ from: 'bench', news: [[networkId, gameId]] }),
    ]);
  };
  try {
    const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
    const bareUrl = `http://127.0.0.1:${port}`;
    const result = await byTurns(ROUNDS, {
      ours: async () => {
        const watchers = await openWatchers(server.url, sessions, [gameId], (socket, text) => {
          if (socket === 0 && text.startsWith(NEWS)) bodies.push(newsOf(text));
        });
        const changes = repeat(change, NEWS_A_SECOND);
        const cpu = await used('ours', server.pid, watchers);
        await changes.stop();
        watchers.close();
        return cpu;
      },
      bare: async () => {
        const watchers = await openWatchers(bareUrl, sessions, [gameId]);
        // Skips the longer initial messages.
        bare.send({ event: 'gameNews', bodies: bodies.filter(({ terms }) => terms === null), aSecond: NEWS_A_SECOND });
        const cpu = await used('bare', bare.pid!, watchers);
        bare.send({ bodies: [], aSecond: NEWS_A_SECOND });
        watchers.close();
        return cpu;
      },
    });
    console.log(
      `\n${SOCKETS} players in one room, ${ROUNDS} alternating rounds; ms of processor for one message to all\n`,
    );
    console.log('| server | median | rounds |\n|---|--:|--:|');
    for (const [name, { median, least, most }] of Object.entries(result))
      console.log(`| ${name} | ${cells({ median: median * 1000, least: least * 1000, most: most * 1000 })} |`);
    judge([{ label: 'players’ room ÷ bare Socket.IO', value: result.ours.median / result.bare.median, atMost: 1.5 }]);
  } finally {
    bare.disconnect();
    await server.stop();
  }
}

async function accountsFor(db: PanelField['db'], players: PanelField['players']): Promise<string[]> {
  const accounts = await db.query<{ id: string; username: string }>(
    'select id, username from accounts where username = any($1::text[]) order by username',
    [players.map(({ username }) => username)],
  );
  const count = Math.ceil(SOCKETS / SOCKETS_PER_SESSION);
  const sessions = await openSessions(
    db,
    Array.from({ length: count }, (_, at) => accounts[at % accounts.length]!),
  );
  return Array.from({ length: SOCKETS }, (_, at) => sessions[Math.floor(at / SOCKETS_PER_SESSION)]!.token);
}

async function used(name: string, pid: number, watchers: Watchers): Promise<number> {
  // Drains pending messages and warms up the code.
  await pause(3_000);
  watchers.take();
  const from = performance.now();
  const before = await cpuOf(pid);
  await pause(SECONDS * 1000);
  const after = await cpuOf(pid);
  const seconds = (performance.now() - from) / 1000;
  const { messages, bytes } = watchers.take();
  console.log(
    `${name}: ${shown(messages / seconds / SOCKETS)} messages per second to each, ${shown(bytes / messages)} bytes each`,
  );
  return (after - before) / (messages / SOCKETS);
}

function newsOf(text: string): GameNews {
  return (JSON.parse(text.slice(PACKET.event.length)) as [string, GameNews])[1];
}

function repeat(act: () => Promise<void>, aSecond: number): { stop: () => Promise<void> } {
  let running = true;
  const keepOn = async (): Promise<void> => {
    while (running) await Promise.all([act(), pause(1000 / aSecond)]);
  };
  const ended = keepOn();
  return {
    stop() {
      running = false;
      return ended;
    },
  };
}
