import { loadGame, type Panel } from '@drawhouse/contract/live/live';
import type WebSocket from 'ws';
import { applyPanelChange } from '../../../apps/web/src/features/live/panel/feed/applyPanelChange.ts';
import { connect, pause } from '../../../tools/demo/client.ts';
import { createHttpWire } from '../../simulate/http-wire.ts';
import { letIn, PACKET } from '../../simulate/socket-wire.ts';
import { judge, shown } from '../measure/contest.ts';
import { load } from '../tickets/ticket-load.ts';
import { startServed } from '../fixtures/bench-server.ts';
import { BETS_A_SECOND, GAMES, read, type PanelField } from './panel-field.ts';

const SOCKETS = 500;
const DROPPED_WITHIN_MS = 5_000;
const BACK_AFTER_MS = 1_000;
const SECONDS = 10;
const CONNECTIONS = 64;
const FULL_PANEL = `${PACKET.event}["responseData"`;

class Panelist {
  texts: string[] = [];
  /** Time from re-authentication to the whole panel. */
  backMs: number | undefined;
  #socket: WebSocket | undefined;

  async open(url: string, token: string, pair: object): Promise<void> {
    const socket = await letIn(url, token);
    const inAtMs = performance.now();
    this.#socket = socket;
    const isBack = this.texts.length > 0;
    let isCurrent = false;
    await new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (text === PACKET.ping) {
          socket.send(PACKET.pong);
          return;
        }
        if (text.startsWith(FULL_PANEL)) {
          if (isBack && !isCurrent) this.backMs = performance.now() - inAtMs;
          isCurrent = true;
          this.texts = [];
          resolve();
        }
        if (isCurrent) this.texts.push(text);
      });
      socket.on('error', () => {});
      socket.send(`${PACKET.event}${JSON.stringify(['gameData', pair])}`);
    });
  }

  drop(): void {
    this.#socket?.terminate();
  }

  get panel(): Panel {
    const [whole, ...changes] = this.texts.map(read);
    if (whole?.event !== 'responseData') throw new Error('A panel has nothing.');
    return changes.reduce<Panel>((panel, sent) => {
      if (sent.event === 'responseData') return sent.panel;
      const next = applyPanelChange(panel, sent.change);
      if (next === 'gap') throw new Error('A panel has missed a change.');
      return next;
    }, whole.panel);
  }
}

export async function benchReconnect({ url, adminId, players, adminTokens }: PanelField): Promise<void> {
  const gameId = GAMES['3D'];
  const server = await startServed(url);
  try {
    const tokens = await adminTokens(SOCKETS);
    const panelists = tokens.map(() => new Panelist());
    const pair = { gameId, adminId, changes: true };
    for (let from = 0; from < SOCKETS; from += 50)
      await Promise.all(
        panelists.slice(from, from + 50).map((panelist, at) => panelist.open(server.url, tokens[from + at]!, pair)),
      );
    const rate = { rate: BETS_A_SECOND, seconds: SECONDS, games: [gameId] };
    const betting = load(server.url, createHttpWire(server.url, CONNECTIONS), players, rate);
    await pause(1_000);
    await Promise.all(
      panelists.map(async (panelist, at) => {
        await pause(Math.random() * DROPPED_WITHIN_MS);
        panelist.drop();
        await pause(BACK_AFTER_MS);
        await panelist.open(server.url, tokens[at]!, pair);
      }),
    );
    await betting;
    await pause(1_000);
    const { call } = connect(server.url, 1, new AbortController().signal);
    const right = await call(loadGame, { query: { gameId, adminId } }, { token: tokens[0]! });
    const wrong = panelists.filter(({ panel }) => JSON.stringify(panel.data) !== JSON.stringify(right.data)).length;
    const backMs = panelists.map((panelist) => panelist.backMs ?? Infinity).toSorted((a, b) => a - b);
    console.log(
      `${SOCKETS} panels of 3D lost their lines within ${DROPPED_WITHIN_MS / 1000} s at ${BETS_A_SECOND} bets/s\n`,
    );
    console.log(
      `From the sign-in to the whole panel, in ms: p50 ${shown(backMs[SOCKETS / 2]!)}, most ${shown(backMs.at(-1)!)}`,
    );
    judge([
      { label: 'panels that show something else than the database', value: wrong, atMost: 0 },
      { label: 'from coming back to the panel, at most', value: backMs.at(-1)!, atMost: 2_000, unit: ' ms' },
    ]);
    for (const panelist of panelists) panelist.drop();
  } finally {
    await server.stop();
  }
}
