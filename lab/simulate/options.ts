import { parseArgs } from 'node:util';
import { FAMILIES } from '@drawhouse/rules/games/catalogue';

export type PlayersFrom =
  | { readonly kind: 'demo' }
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'operator';
      readonly username: string;
      readonly password: string;
      readonly retailer: string | undefined;
      readonly credit: number;
      /** File for passwords. Without it, players are removed after the run. */
      readonly save: string | undefined;
    };

export interface Options {
  readonly url: string;
  readonly from: PlayersFrom;
  readonly players: number | undefined;
  /** Per second; Infinity: closed loop. */
  readonly rate: number;
  readonly seconds: number;
  readonly over: 'http' | 'socket';
  readonly connections: number;
  readonly games: readonly string[] | undefined;
  readonly families: readonly string[] | undefined;
  readonly lines: number | undefined;
}

/** Protects the machine from typos. */
export const BOUNDS = {
  players: 100_000,
  rate: 100_000,
  seconds: 86_400,
  /** A server allows 5,000 per address, other calls included. */
  connections: 4_000,
  lines: 1_000,
  credit: 1_000_000,
} as const;

export const SOCKETS_BOUND =
  `--players is at most ${BOUNDS.connections} over sockets: each has one, and a server takes only so ` +
  'many from one address.';

const NEW_PLAYERS = 20;

export const USAGE = `npm run lab -- simulate [options]

  --url URL          the server (http://localhost:3000)
  --players N        so many players, up to ${BOUNDS.players} (all that there are)
  --rate R           bets per second of all players together, or max: as fast as possible (5)
  --seconds S        for so long (60); Ctrl-C ends it earlier
  --over http        or socket: each player bets over a socket of its own (http)
  --connections C    connections that bets go over by HTTP (one a player, 256 at most)
  --games A,B        only these games, by their keys; one named twice is played twice as often
  --families A,B     only games of these families: ${FAMILIES.join(', ')}
  --lines L          lines of every ticket (1 to 4 by chance)

Who plays: the players of the demo, unless one of these is given.
  --credentials F    a file with a username and a password on each line
  --operator NAME    new players, made by this account, whose password is in OPERATOR_PASSWORD
    --retailer NAME  below this retailer (needed where the operator has several)
    --credit P       so many points for each, from the operator's own credit (1000)
    --save F         keeps their passwords in a new file, to play with them again by --credentials;
                     without it they are closed at the end, and what they have left goes back`;

/** The message names the valid values. */
export class BadOption extends Error {}

export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Options {
  const values = parsed(args);
  const players = wholeNumber('--players', values.players, BOUNDS.players);
  const over = values.over ?? 'http';
  if (over !== 'http' && over !== 'socket') throw new BadOption('--over is http or socket.');
  if (over === 'socket' && values.connections !== undefined)
    throw new BadOption('--connections is for --over http: over sockets each player has one of its own.');
  if (over === 'socket' && (players ?? 0) > BOUNDS.connections) throw new BadOption(SOCKETS_BOUND);
  const connections = wholeNumber('--connections', values.connections, BOUNDS.connections);
  return {
    url: urlOf(values.url ?? 'http://localhost:3000'),
    from: playersFrom(values, env),
    players: players ?? (values.operator === undefined ? undefined : NEW_PLAYERS),
    rate: values.rate === 'max' ? Infinity : (number('--rate', values.rate, BOUNDS.rate, ', or max') ?? 5),
    seconds: number('--seconds', values.seconds, BOUNDS.seconds) ?? 60,
    over,
    connections: connections ?? Math.min(players ?? 256, 256),
    games: list('--games', values.games),
    families: families(values.families),
    lines: wholeNumber('--lines', values.lines, BOUNDS.lines),
  };
}

const TEXT = { type: 'string' } as const;

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: TEXT,
        players: TEXT,
        rate: TEXT,
        seconds: TEXT,
        over: TEXT,
        connections: TEXT,
        games: TEXT,
        families: TEXT,
        lines: TEXT,
        credentials: TEXT,
        operator: TEXT,
        retailer: TEXT,
        credit: TEXT,
        save: TEXT,
      },
    }).values;
  } catch (error) {
    const [first] = (error as Error).message.split(/(?<=\.) /);
    throw new BadOption(`${first!.replace(/[^.]$/, '$&.')}\n\n${USAGE}`);
  }
}

function playersFrom(
  values: ReturnType<typeof parsed>,
  env: Readonly<Record<string, string | undefined>>,
): PlayersFrom {
  const { credentials, operator, retailer, credit, save } = values;
  if (operator === undefined) {
    const [orphanOption] = Object.entries({ retailer, credit, save }).find(([, value]) => value !== undefined) ?? [];
    if (orphanOption) throw new BadOption(`--${orphanOption} needs --operator, whose account creates new players.`);
    return credentials === undefined ? { kind: 'demo' } : { kind: 'file', file: credentials };
  }
  if (credentials !== undefined)
    throw new BadOption('Use --credentials for existing players or --operator for new ones.');
  const password = env['OPERATOR_PASSWORD'];
  if (!password)
    throw new BadOption(`Set OPERATOR_PASSWORD to the password of ${operator}: others could see it among the options.`);
  const points = number('--credit', credit, BOUNDS.credit) ?? 1_000;
  if (Math.round(points * 100) !== points * 100) throw new BadOption('--credit has at most two decimals.');
  return { kind: 'operator', username: operator, password, retailer, credit: points, save };
}

function number(name: string, text: string | undefined, most: number, or = ''): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= most))
    throw new BadOption(`${name} is a number above 0, up to ${most}${or}; not "${text}".`);
  return value;
}

function wholeNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new BadOption(`${name} is a whole number from 1 to ${most}; not "${text}".`);
  return value;
}

function list(name: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (names.length === 0) throw new BadOption(`${name} names at least one, with commas between several.`);
  return names;
}

function families(text: string | undefined): string[] | undefined {
  const names = list('--families', text);
  const unknown = names?.find((name) => !(FAMILIES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new BadOption(`There is no family "${unknown}": --families takes ${FAMILIES.join(', ')}.`);
  return names;
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new BadOption(`--url is the address of a server, such as http://localhost:3000; not "${text}".`);
  return text.replace(/\/+$/, '');
}
