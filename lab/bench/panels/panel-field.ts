import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import type WebSocket from 'ws';
import { systemClock } from '../../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { setDrawInterval } from '../../../tools/demo/plan.ts';
import type { Entrant } from '../../simulate/player.ts';
import { makeNetwork } from '../fixtures/bench-network.ts';
import { openSessions } from '../tickets/ticket-field.ts';
import { everyBet } from '../../simulate/ready-bets.ts';
import { letIn, PACKET } from '../../simulate/socket-wire.ts';

export const GAMES = { '3D': 'lottery3d', '4D': 'lottery4d' } as const;
export const BETS_A_SECOND = 2_000;
export const CHANGES_A_SECOND = 8;

const PLAYERS = 1_000;
/** Hundredths; more than any run spends. */
const CREDIT = 1_000_000_000_000n;
/** Draws change only at midnight UTC. */
const DAY_SECONDS = 86_400;
/** The server's limit. */
const SOCKETS_PER_SESSION = 6;

export interface PanelField {
  readonly db: Database;
  readonly url: string;
  readonly adminId: string;
  readonly networkId: number;
  readonly players: readonly Entrant[];
  adminTokens(this: void, sockets: number): Promise<string[]>;
}

export async function makePanelField(db: Database, url: string): Promise<PanelField> {
  const games = Object.values(GAMES);
  const network = await makeNetwork(db, { games, players: PLAYERS, credit: CREDIT, clock: systemClock });
  for (const game of games) await setDrawInterval(db, game, DAY_SECONDS);
  await network.machine.tick();
  await db.query('vacuum analyze');
  const [admin] = await db.query<{ id: string; username: string }>(
    "select id, username from accounts where role = 'admin'",
  );
  return {
    db,
    url,
    adminId: admin!.id,
    networkId: network.networkId,
    players: await openSessions(db, network.players),
    async adminTokens(sockets) {
      const count = Math.ceil(sockets / SOCKETS_PER_SESSION);
      const sessions = await openSessions(
        db,
        Array.from({ length: count }, () => admin!),
      );
      return Array.from({ length: sockets }, (_, at) => sessions[Math.floor(at / SOCKETS_PER_SESSION)]!.token);
    },
  };
}

const CHANNEL = 'panels';
/** Hundredths. */
const STAKE = 500;
export const BETS_A_CHANGE: number = BETS_A_SECOND / CHANGES_A_SECOND;

/**
 * Adds to the draw's sums and notifies like another server would, which keeps bet processing out of the measured
 * server.
 */
export function betsOf({ db, networkId }: PanelField, gameId: string): () => Promise<void> {
  const rules = rulesFor(builtInGame(gameId)!);
  const keys = everyBet(rules).map((line) => (rules.parseBet(line) as { key: string }).key);
  const news = JSON.stringify({ from: 'bench', news: [[networkId, gameId, 'stakes']] });
  return async () => {
    const stakes = new Map<string, number>();
    for (let bet = 0; bet < BETS_A_CHANGE; bet++) {
      const key = keys[Math.floor(Math.random() * keys.length)]!;
      stakes.set(key, (stakes.get(key) ?? 0) + STAKE);
    }
    await db.query(
      `insert into exposures (network_id, draw_id, bet_key, stake)
       select $1, d.id, laid.key, laid.stake from draws d join games g on g.id = d.game_id,
         unnest($3::text[], $4::bigint[]) as laid (key, stake)
       where d.network_id = $1 and g.game_key = $2 and d.status = 'open'
       on conflict (network_id, draw_id, bet_key) do update set stake = exposures.stake + excluded.stake`,
      [networkId, gameId, [...stakes.keys()], [...stakes.values()]],
    );
    await db.query('select pg_notify($1, $2)', [CHANNEL, news]);
  };
}

type Sent =
  | { readonly event: 'responseData'; readonly panel: Panel }
  | { readonly event: 'panelChange'; readonly change: PanelChange };

/** Minimal sockets; client cost is not measured. */
export interface Watchers {
  take(): { messages: number; bytes: number };
  close(): void;
}

const CONNECTED_AT_ONCE = 50;
/** The server limits connections per address; more use other loopback addresses. */
const SOCKETS_PER_ADDRESS = 2_500;

/** Joins with `gameData`, or `watchGames` for game keys. Decodes only the first socket's messages. */
export async function openWatchers(
  url: string,
  tokens: readonly string[],
  joined: { gameId: string; adminId: string; changes?: boolean } | readonly string[],
  onMessage: (socket: number, text: string) => void = () => {},
): Promise<Watchers> {
  const joining = `${PACKET.event}${JSON.stringify([Array.isArray(joined) ? 'watchGames' : 'gameData', joined])}`;
  let messages = 0;
  let bytes = 0;
  const sockets: WebSocket[] = [];
  const open = async (index: number): Promise<void> => {
    const socket = await letIn(url, tokens[index]!, `127.0.0.${1 + Math.floor(index / SOCKETS_PER_ADDRESS)}`);
    sockets.push(socket);
    const isIn = new Promise<void>((resolve, reject) => {
      socket.on('close', () => reject(new Error('The server closed a panel.')));
      socket.on('message', (data: Buffer) => {
        if (data.length === 1) {
          socket.send(PACKET.pong);
          return;
        }
        resolve();
        messages++;
        bytes += data.length;
        onMessage(index, data.toString());
      });
    });
    socket.on('error', () => {});
    socket.send(joining);
    await isIn;
    // A later close shows up in the counts.
    isIn.catch(() => {});
  };
  for (let from = 0; from < tokens.length; from += CONNECTED_AT_ONCE)
    await Promise.all(tokens.slice(from, from + CONNECTED_AT_ONCE).map((_token, at) => open(from + at)));
  return {
    take() {
      const taken = { messages, bytes };
      messages = bytes = 0;
      return taken;
    },
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

export function read(text: string): Sent {
  const [event, body] = JSON.parse(text.slice(PACKET.event.length)) as [string, unknown];
  if (event === 'responseData') return { event, panel: body as Panel };
  if (event === 'panelChange') return { event, change: body as PanelChange };
  throw new Error(`A panel was told ${text.slice(0, 200)}.`);
}
