import { senderOf, type BetOrder } from '../bet-order.ts';

/** Approximate memory per waiting bet, including its answer, and per line. */
const BYTES = { bet: 1_000, line: 200 };

interface Load {
  bets: number;
  bytes: number;
}

/** Per server, lane, player and API key. One sender cannot fill a lane. */
const SERVER_MAX: Load = { bets: 50_000, bytes: 160_000_000 };
const LANE_MAX: Load = { bets: 20_000, bytes: 80_000_000 };
const PLAYER_MAX: Load = { bets: 2_000, bytes: 20 * (BYTES.bet + 1_000 * BYTES.line) };
const API_KEY_MAX: Load = { bets: 10_000, bytes: 20_000_000 };

export interface BetBacklog {
  add(lane: string, order: BetOrder): boolean;
  remove(lane: string, order: BetOrder): void;
  count(this: void): number;
}

export function createBetBacklog(): BetBacklog {
  const server: Load = { bets: 0, bytes: 0 };
  const lanes = new Map<string, Load>();
  const players = new Map<string, Load>();
  const apiKeys = new Map<string, Load>();
  return {
    add(lane, order) {
      const bytes = bytesOf(order);
      const ofLane = lanes.get(lane) ?? { bets: 0, bytes: 0 };
      const ofPlayer = players.get(order.actor.id) ?? { bets: 0, bytes: 0 };
      if (!fits(server, SERVER_MAX, bytes) || !fits(ofLane, LANE_MAX, bytes) || !fits(ofPlayer, PLAYER_MAX, bytes))
        return false;
      if (order.apiKey !== undefined) {
        const ofKey = apiKeys.get(keyOf(order)) ?? { bets: 0, bytes: 0 };
        if (!fits(ofKey, API_KEY_MAX, bytes)) return false;
        add(ofKey, 1, bytes);
        apiKeys.set(keyOf(order), ofKey);
      }
      for (const load of [server, ofLane, ofPlayer]) add(load, 1, bytes);
      lanes.set(lane, ofLane);
      players.set(order.actor.id, ofPlayer);
      return true;
    },
    remove(lane, order) {
      const bytes = bytesOf(order);
      add(server, -1, -bytes);
      leave(lanes, lane, bytes);
      leave(players, order.actor.id, bytes);
      if (order.apiKey !== undefined) leave(apiKeys, keyOf(order), bytes);
    },
    count: () => server.bets,
  };
}

const bytesOf = ({ lines }: BetOrder): number => BYTES.bet + lines.length * BYTES.line;
const keyOf = (order: BetOrder): string => `${order.actor.networkId} ${senderOf(order)}`;

const fits = (load: Load, max: Load, bytes: number): boolean => load.bets < max.bets && load.bytes + bytes <= max.bytes;

function add(load: Load, bets: number, bytes: number): void {
  load.bets += bets;
  load.bytes += bytes;
}

function leave(loads: Map<string, Load>, key: string, bytes: number): void {
  const load = loads.get(key)!;
  add(load, -1, -bytes);
  if (load.bets === 0) loads.delete(key);
}
