import { parseArgs } from 'node:util';
import { MOST_PLAYERS } from './plan.ts';

/** The message says what is valid. */
export class BadPlayers extends Error {}

export function readPlayers(args: readonly string[]): number {
  let players: string | undefined;
  try {
    ({ players } = parseArgs({ args: [...args], options: { players: { type: 'string' } } }).values);
  } catch {
    throw new BadPlayers('Usage: npm run demo -- [--players N]');
  }
  if (players === undefined) return MOST_PLAYERS;
  const count = /^\d{1,6}$/.test(players) ? Number(players) : 0;
  if (count < 1 || count > MOST_PLAYERS)
    throw new BadPlayers(`--players must be a whole number from 1 to ${MOST_PLAYERS}, not "${players}".`);
  return count;
}
