import type { BetAmongMany } from '@drawhouse/contract/tickets/bulk-bets';
import { BULK_LIMITS, TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import type { BetRequest } from '@drawhouse/contract/tickets/tickets';

// Parses common bets in a tenth of the schema's time, with equal results. Anything else falls back to the schema, which
// reports errors.

const PLAIN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Printable without spaces, so nothing to trim. */
const PLAIN_NAME = /^[!-~]{1,64}$/;
const [TEXT_MAX, WORD_MAX, PLAYER_MAX] = [16, 32, 16];

type Line = BetRequest['lines'][number];
type Given = Readonly<Record<string, unknown>>;

export function plainBet(body: unknown): BetRequest | undefined {
  if (!isObject(body)) return undefined;
  const { gameId, drawId, requestId } = body;
  if (!isName(gameId) || !isName(requestId) || !(drawId === undefined || isId(drawId))) return undefined;
  const lines = plainLines(body['lines']);
  if (!lines) return undefined;
  return drawId === undefined ? { gameId, requestId, lines } : { gameId, drawId, requestId, lines };
}

export function plainBets(body: unknown): { bets: BetAmongMany[] } | undefined {
  const value = isObject(body) ? body['bets'] : undefined;
  if (!Array.isArray(value) || value.length === 0 || value.length > BULK_LIMITS.bets) return undefined;
  const bets: BetAmongMany[] = [];
  let lines = 0;
  for (const one of value as unknown[]) {
    const bet: BetAmongMany | undefined = plainBet(one);
    if (!bet) return undefined;
    const { player } = one as Given;
    if (player !== undefined) {
      if (!isName(player) || player.length > PLAYER_MAX) return undefined;
      bet.player = player;
    }
    lines += bet.lines.length;
    bets.push(bet);
  }
  return lines <= BULK_LIMITS.lines ? { bets } : undefined;
}

function plainLines(value: unknown): Line[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > TICKET_LIMITS.lines) return undefined;
  const lines: Line[] = [];
  for (const one of value as unknown[]) {
    const line = plainLine(one);
    if (!line) return undefined;
    lines.push(line);
  }
  return lines;
}

function plainLine(value: unknown): Line | undefined {
  if (!isObject(value)) return undefined;
  const { drawno, qty, head, series, subseries } = value;
  if (typeof qty !== 'number' || !Number.isInteger(qty) || qty < 1 || qty > TICKET_LIMITS.qty) return undefined;
  if (typeof drawno === 'string' ? drawno.length > TEXT_MAX : !Number.isFinite(drawno)) return undefined;
  const line: Line = { drawno: drawno as string | number, qty };
  if (head !== undefined && !isWord(head)) return undefined;
  if (series !== undefined && !isWord(series)) return undefined;
  if (subseries !== undefined && !isWord(subseries)) return undefined;
  if (head !== undefined) line.head = head;
  if (series !== undefined) line.series = series;
  if (subseries !== undefined) line.subseries = subseries;
  return line;
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string => typeof value === 'string' && PLAIN_NAME.test(value);
const isId = (value: unknown): value is string => typeof value === 'string' && PLAIN_ID.test(value);
const isWord = (value: unknown): value is string => typeof value === 'string' && value.length <= WORD_MAX;
