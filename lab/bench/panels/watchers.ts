import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import type WebSocket from 'ws';
import { letIn, PACKET } from '../../simulate/socket-wire.ts';

export type Sent =
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

/** Throws on anything but a room message. */
export function read(text: string): Sent {
  const [event, body] = JSON.parse(text.slice(PACKET.event.length)) as [string, unknown];
  if (event === 'responseData') return { event, panel: body as Panel };
  if (event === 'panelChange') return { event, change: body as PanelChange };
  throw new Error(`A panel was told ${text.slice(0, 200)}.`);
}
