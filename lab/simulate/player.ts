import { playerGames } from '@drawhouse/contract/games/games';
import { signedIn } from '../../tools/demo/client.ts';
import type { Call, Credentials, SignedInCall } from '../../tools/demo/client.ts';
import { KnownGame } from './ready-bets.ts';
import type { Sender, Wire } from './wire.ts';

/** Who plays: a player that signs in, or one whose session is there already. */
export type Entrant = Credentials | { readonly username: string; readonly token: string };

/** One player, and what it knows. */
export interface Player extends Sender {
  readonly entrant: Entrant;
  readonly call: SignedInCall;
  /** Those that it plays; none before it is in. */
  games: string[];
  /** By game. */
  readonly favourites: Map<string, string[]>;
  /** Until when betting is closed before its time, by game: an operator has saved a result. */
  readonly closedUntilMs: Map<string, number>;
}

/** What players play. */
export interface GameChoice {
  /** The games that are played; one that stands here twice is played twice as often. Without it each player keeps to a few. */
  readonly games?: readonly string[] | undefined;
  readonly families?: readonly string[] | undefined;
}

const MAX_GAMES = 3;
const CROWDS_GAME = 'funtargetbingo';
/** People stop in time: from here to the close they bet less and less. */
const QUIET_MS = 8_000;
const LAST_MOMENT_MS = 1_000;

/** A player who is not in yet, and calls by `call` as itself. */
export function newPlayer(call: Call, entrant: Entrant): Player {
  return {
    entrant,
    username: entrant.username,
    token: undefined,
    call: callOf(call, entrant),
    games: [],
    favourites: new Map(),
    closedUntilMs: new Map(),
  };
}

/** Calls as a player, by credentials or by a session that is there. */
function callOf(call: Call, entrant: Entrant): SignedInCall {
  if ('password' in entrant) return signedIn(call, entrant);
  const { token } = entrant;
  const withToken: Call = (route, input, options) => call(route, input, { ...options, token });
  return Object.assign(withToken, { token: async () => token, forget: () => {} });
}

/** Lets a player in: session, games with what is known of them, and whatever the wire needs. Throws where the server does not. */
export async function enter(
  player: Player,
  { wire, choice, knownGames }: { wire: Wire; choice: GameChoice; knownGames: Map<string, KnownGame> },
): Promise<void> {
  player.token = 'token' in player.entrant ? player.entrant.token : await player.call.token();
  await wire.join(player);
  if (player.games.length === 0) player.games = await gamesOf(player, choice);
  for (const gameId of player.games) {
    if (knownGames.has(gameId)) continue;
    const known = new KnownGame(gameId);
    knownGames.set(gameId, known);
    await known.refresh(player.call);
  }
}

async function gamesOf(player: Player, { games, families }: GameChoice): Promise<string[]> {
  const { data } = await player.call(playerGames, {});
  const open = data.filter(({ family }) => families?.includes(family) ?? true).map(({ gameId }) => gameId);
  if (games) return games.filter((gameId) => open.includes(gameId));
  if (families) return open;
  const some = pickSome(open, 1 + Math.floor(Math.random() * MAX_GAMES));
  // Half of the people play the crowd's game too, so that one panel is busier than the others.
  return open.includes(CROWDS_GAME) && Math.random() < 0.5 ? [...new Set([CROWDS_GAME, ...some])] : some;
}

/** Whether a player would bet on a game now: the nearer the close, the less. */
export function wouldBet({ call, closedUntilMs }: Player, known: KnownGame | undefined, now: number): boolean {
  if (!known?.isOpen(now, call) || !known.isKnown || now < (closedUntilMs.get(known.gameId) ?? 0)) return false;
  const leftMs = known.leftMs(now) - LAST_MOMENT_MS;
  return leftMs > QUIET_MS || Math.random() < leftMs / QUIET_MS;
}

function pickSome<T>(choices: readonly T[], count: number): T[] {
  const left = [...choices];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!,
  );
}
