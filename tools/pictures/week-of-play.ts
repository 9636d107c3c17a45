import crypto, { randomUUID, createHash } from 'node:crypto';
import { addResult } from '@drawhouse/contract/draws/draws';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { syncBuiltinESMExports } from 'node:module';
import type { App } from '../../apps/server/src/compose/app.ts';
import type { Clock } from '../../apps/server/src/platform/time/clock.ts';
import type { Call } from '../demo/client.ts';
import { makeNetwork, type Member } from '../demo/demo-network.ts';
import { DEMO_GAMES } from '../demo/plan.ts';
import { everyBet, rulesOfPanel } from '../../lab/simulate/ready-bets.ts';

interface RepeatableChance {
  below(below: number): number;
  of<T>(choices: readonly T[]): T;
}

/**
 * Replaces even Node's own randomness, so pictures differ only if the program changed. Never use elsewhere: seeds and
 * passwords become predictable.
 */
export function makeChanceRepeatable(seed: string): RepeatableChance {
  let block = Buffer.alloc(0);
  let blocks = 0;
  const bytes = (size: number): Buffer => {
    while (block.length < size)
      block = Buffer.concat([block, createHash('sha256').update(`${seed} ${blocks++}`).digest()]);
    const taken = Buffer.from(block.subarray(0, size));
    block = block.subarray(size);
    return taken;
  };
  const fraction = (): number => bytes(4).readUInt32BE() / 2 ** 32;
  const below = (most: number): number => Math.floor(fraction() * most);
  Math.random = fraction;
  Object.assign(crypto, {
    randomBytes: bytes,
    randomInt: below,
    randomUUID: () => {
      const hex = bytes(16).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
        '-',
      );
    },
  });
  syncBuiltinESMExports();
  return { below, of: (choices) => choices[below(choices.length)]! };
}

const MINUTE_MS = 60_000;
const DAYS = 7;
const HOURS: readonly (readonly [hour: number, bets: number])[] = [
  [9, 6],
  [12, 14],
  [14, 10],
  [17, 18],
  [20, 26],
  [22, 16],
];
const LAST_DRAWS = 7;
const LAST_BETS = 40;
const DECLARED = 4;
/** A Thursday, 22 seconds before the minute's draws. */
const TAKEN_AT = Date.parse('2026-03-12T14:29:38Z');
const BETS_OF_ONE = 4;
const QUANTITIES = [1, 1, 2, 2, 2, 3, 4, 5, 5, 8, 10, 10, 15, 20];
const BETS = DEMO_GAMES.map((gameId) => {
  const { family, digits } = BUILT_IN_GAMES.find((game) => game.gameId === gameId)!;
  return { gameId, bets: everyBet(rulesOfPanel(gameId, family, digits)!) };
});

export interface StillClock extends Clock {
  set(ms: number): void;
}

export function clockAWeekBefore(): StillClock {
  let nowMs = TAKEN_AT - DAYS * 24 * 60 * MINUTE_MS;
  return { now: () => new Date(nowMs), set: (ms) => void (nowMs = ms) };
}

export interface PlayedNetwork {
  readonly players: ReadonlyMap<string, Member>;
}

/** Plays one player at a time. Stops during an open draw. */
export async function playAWeek(
  app: App,
  clock: StillClock,
  call: Call,
  chance: RepeatableChance,
): Promise<PlayedNetwork> {
  const { players } = await makeNetwork(call);
  const everybody = [...players.values()];
  const bet = async (count: number): Promise<void> => {
    let player = everybody[0]!;
    for (let placed = 0; placed < count; placed++) {
      if (placed % BETS_OF_ONE === 0) player = chance.of(everybody);
      await placeOne(player, chance);
    }
  };
  const midnight = TAKEN_AT - (TAKEN_AT % (24 * 60 * MINUTE_MS));
  for (let day = DAYS - 1; day >= 0; day--)
    for (const [hour, bets] of HOURS) {
      const atMs = midnight + (hour - 24 * day) * 60 * MINUTE_MS + 5_000;
      if (atMs > TAKEN_AT) continue;
      clock.set(atMs);
      await app.tick();
      await bet(bets);
      clock.set(atMs + MINUTE_MS);
      await app.tick();
    }
  for (let left = LAST_DRAWS; left > 0; left--) {
    clock.set(TAKEN_AT - left * MINUTE_MS);
    await app.tick();
    await bet(LAST_BETS);
    if (left === DECLARED) await declare(everybody[0]!);
  }
  clock.set(TAKEN_AT);
  await app.tick();
  await bet(2 * LAST_BETS);
  return { players };
}

async function placeOne(player: Member, chance: RepeatableChance): Promise<void> {
  const { gameId, bets } = chance.below(3) === 0 ? chance.of(BETS) : BETS[0]!;
  const chosen = new Set(Array.from({ length: 1 + chance.below(3) }, () => chance.of(bets)));
  const lines = Array.from(
    chosen,
    (line) => ({ ...line, qty: chance.of(QUANTITIES) }) as { drawno: string; qty: number },
  );
  await player.call(placeBet, { body: { gameId, requestId: randomUUID(), lines } });
}

async function declare(player: Member): Promise<void> {
  let admin = player;
  while (admin.role !== 'admin') admin = admin.above!;
  await admin.call(addResult, { body: { gameId: DEMO_GAMES[0], adminId: admin.id, result: '3', boosterValue: 2 } });
}
