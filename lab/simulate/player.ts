import { playerGames } from '@drawhouse/contract/games/games';
import { signedIn, type Call, type Credentials, type SignedInCall } from '../../tools/demo/client.ts';
import { CrowdGame } from './ready-bets.ts';
import type { Sender, Wire } from './http-wire.ts';

export type Entrant = Credentials | { readonly username: string; readonly token: string };

export interface Player extends Sender {
  readonly entrant: Entrant;
  readonly call: SignedInCall;
  games: string[];
  readonly favourites: Map<string, string[]>;
  /** Set by game, after an operator saved a result. */
  readonly closedUntilMs: Map<string, number>;
}

export interface GameChoice {
  /** Duplicates raise a game's weight. Default: each player picks a few. */
  readonly games?: readonly string[] | undefined;
  readonly families?: readonly string[] | undefined;
}

const MAX_GAMES = 3;
const CROWDS_GAME = 'funtargetbingo';
/** Before the close; bets become rarer. */
const QUIET_MS = 8_000;
const LAST_MOMENT_MS = 1_000;

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

function callOf(call: Call, entrant: Entrant): SignedInCall {
  if ('password' in entrant) return signedIn(call, entrant);
  const { token } = entrant;
  const withToken: Call = (route, input, options) => call(route, input, { ...options, token });
  return Object.assign(withToken, { token: async () => token, forget: () => {} });
}

export async function enter(
  player: Player,
  { wire, choice, games }: { wire: Wire; choice: GameChoice; games: Map<string, CrowdGame> },
): Promise<void> {
  player.token = 'token' in player.entrant ? player.entrant.token : await player.call.token();
  await wire.join(player);
  if (player.games.length === 0) player.games = await gamesOf(player, choice);
  for (const gameId of player.games) {
    if (games.has(gameId)) continue;
    const game = new CrowdGame(gameId);
    games.set(gameId, game);
    await game.refresh(player.call);
  }
}

async function gamesOf(player: Player, { games, families }: GameChoice): Promise<string[]> {
  const { data } = await player.call(playerGames, {});
  const open = data.filter(({ family }) => families?.includes(family) ?? true).map(({ gameId }) => gameId);
  if (games) return games.filter((gameId) => open.includes(gameId));
  if (families) return open;
  const some = pickSome(open, 1 + Math.floor(Math.random() * MAX_GAMES));
  // Makes its panel the busiest.
  return open.includes(CROWDS_GAME) && Math.random() < 0.5 ? [...new Set([CROWDS_GAME, ...some])] : some;
}

export function wouldBet({ call, closedUntilMs }: Player, game: CrowdGame | undefined, now: number): boolean {
  if (!game?.isOpen(now, call) || !game.isKnown || now < (closedUntilMs.get(game.gameId) ?? 0)) return false;
  const leftMs = game.leftMs(now) - LAST_MOMENT_MS;
  return leftMs > QUIET_MS || Math.random() < leftMs / QUIET_MS;
}

function pickSome<T>(choices: readonly T[], count: number): T[] {
  const left = [...choices];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!,
  );
}
