import type { JoinedPair, LiveEvents, Panel } from '@drawhouse/contract/live/live';
import { io, type Socket } from 'socket.io-client';
import {
  NO_PANEL,
  reducePanel,
  type PanelEvent,
  type PanelState,
} from '../../../web/src/features/live/panel/feed/panelFrames.ts';

type LiveSocket = Socket<Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'>, Pick<LiveEvents, 'gameData'>>;

interface ClientOptions {
  /** True like our client; otherwise whole panels only, like third-party clients. */
  readonly changes?: boolean;
  readonly reconnectMs?: number;
}

/** A live panel without a page, by the web app's model. Rejoins after gaps. */
export class LiveClient {
  readonly socket: LiveSocket;
  readonly got = { wholes: 0, changes: 0, gaps: 0 };
  readonly refusals: string[] = [];
  readonly closed: string[] = [];
  #state: PanelState = NO_PANEL;
  #pair: JoinedPair | undefined;
  readonly #changes: boolean;

  constructor(url: string, token: string, { changes = true, reconnectMs }: ClientOptions = {}) {
    this.#changes = changes;
    this.socket = io(url, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: reconnectMs !== undefined,
      ...(reconnectMs !== undefined && {
        reconnectionDelay: reconnectMs,
        reconnectionDelayMax: reconnectMs,
        randomizationFactor: 0,
      }),
    });
    this.socket.on('connect', () => this.#join());
    this.socket.on('responseData', (panel) => {
      this.got.wholes++;
      this.#take({ type: 'frame', panel, receivedAt: 0 });
    });
    this.socket.on('panelChange', (change) => {
      this.got.changes++;
      this.#take({ type: 'change', change, receivedAt: 0 });
    });
    this.socket.on('error', ({ code }) => void this.refusals.push(code));
    this.socket.on('disconnect', (reason) => void this.closed.push(reason));
  }

  get panel(): Panel | null {
    return this.#state.panel;
  }

  open(adminId: string, gameId: string): this {
    this.#pair = { adminId, gameId, ...(this.#changes && { changes: true }) };
    this.#state = NO_PANEL;
    if (this.socket.connected) this.#join();
    return this;
  }

  drop(): void {
    this.socket.io.engine?.close();
  }

  #join(): void {
    if (!this.#pair) return;
    this.#take({ type: 'joined' });
    this.socket.emit('gameData', this.#pair);
  }

  #take(event: PanelEvent): void {
    this.#state = reducePanel(this.#state, event);
    if (!this.#state.missed) return;
    this.got.gaps++;
    this.#join();
  }
}

export function shownOf(panel: Panel | null): Omit<Panel, 'seq' | 'serverTime'> | null {
  if (!panel) return null;
  const { seq: _seq, serverTime: _time, ...shown } = panel;
  // Calls add `success`; events do not.
  return { ...shown, success: undefined } as Omit<Panel, 'seq' | 'serverTime'>;
}

/** Field order varies between changes and answers. */
export function textOf(panel: Panel | null): string {
  const shown = shownOf(panel);
  return shown ? JSON.stringify(shown, (_key, value: unknown) => (isRecord(value) ? inOrder(value) : value)) : '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const orders = new Map<string, string[]>();
function inOrder(record: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.keys(record);
  const shape = fields.join(' ');
  const order = orders.get(shape) ?? fields.toSorted((one, other) => (one < other ? -1 : 1));
  if (fields.length < 20) orders.set(shape, order);
  return Object.fromEntries(order.map((field) => [field, record[field]]));
}
