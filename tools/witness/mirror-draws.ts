import { hash } from 'node:crypto';
import { RULES_VERSION } from '@drawhouse/rules/published-seed';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import { ticketDigest, verifyDraw } from '@drawhouse/rules/fair';
import type { Result } from '@drawhouse/rules/game-rules';
import { treeRoot } from '@drawhouse/rules/merkle';
import { rulesFor } from '@drawhouse/rules/rules';
import type { GameRules } from '@drawhouse/rules/rules';
import { linesOf } from '@drawhouse/rules/ticket-lines';
import { winHundredths } from '@drawhouse/rules/wins';
import { isoOf, judgeKept } from './mirror-kept.ts';
import type { KeptOfDraw } from './mirror-kept.ts';
import { given } from './sealed-entry.ts';
import type { SealedRow } from './sealed-entry.ts';

/** Of a point. */
const HUNDREDTHS = 100;
/** The versions of the rules whose results are judged here. */
const JUDGED_VERSIONS: readonly number[] = [1, RULES_VERSION];

/** A ticket until its draw is settled. */
export type KnownTicket = {
  readonly id: string;
  readonly account: string;
  readonly stake: bigint;
  readonly lines: string;
  /** Of what the ticket says, 32 bytes. */
  readonly digest: Uint8Array;
};

/** The digest of a ticket's row, and whether it is the one that the row says. */
export function digestOf(row: SealedRow): { digest: Uint8Array; isSaid: boolean } {
  const digest = ticketDigest({
    ticketId: given(row, 'id'),
    drawId: given(row, 'draw_id'),
    stake: BigInt(given(row, 'stake')),
    lines: linesOf(given(row, 'lines')),
  });
  return { digest, isSaid: Buffer.from(digest).toString('hex') === hexOf(given(row, 'digest')) };
}

/** What a draw is opened with, closed with and drawn from: once it is there it stays. */
const FIXED = [
  'game_id',
  'terms_id',
  'opens_at',
  'closes_at',
  'draws_at',
  'commitment',
  'ticket_count',
  'ticket_root',
  'seed',
];
/** What it came to: once it is there it stays, and a draw that is void alone has it no more. */
const CAME_TO = ['result', 'booster', 'source'];
/** The states of a draw, which it goes through in this order; it may leave some out. */
const STATES = ['open', 'closed', 'drawn', 'settling', 'settled'];

/** What is wrong with a row of a draw after an earlier one of the same draw. */
export function judgeChange(before: SealedRow, after: SealedRow): readonly string[] {
  const changed = [
    ...FIXED.filter((column) => after[column] != null),
    ...CAME_TO.filter((column) => after[column] != null || after['status'] !== 'void'),
  ].filter((column) => before[column] != null && before[column] !== after[column]);
  return [
    ...changed.map((column) => `its ${column} was ${before[column]} and is ${after[column] ?? 'none'}.`),
    ...judgeStatus(given(before, 'status'), given(after, 'status')),
  ];
}

function judgeStatus(before: string, after: string): readonly string[] {
  const isForward =
    before === after ||
    (before !== 'void' && before !== 'settled' && (after === 'void' || STATES.indexOf(after) > STATES.indexOf(before)));
  return isForward ? [] : [`it was ${before} and is ${after}.`];
}

/** What is kept of a draw that is finished: by it {@link judgeFinished} knows whether it has changed since. */
export function markOf(row: SealedRow): string {
  const values = [...FIXED, ...CAME_TO].map((column) => row[column] ?? null);
  return `${given(row, 'status')} ${hash('sha256', JSON.stringify(values), 'base64')}`;
}

/** What is wrong with a row of a draw that was finished before, by its mark. */
export function judgeFinished(mark: string, row: SealedRow): readonly string[] {
  const [[before, was], [after, is]] = [mark.split(' '), markOf(row).split(' ')];
  return [
    ...judgeStatus(before!, after!),
    ...(was === is ? [] : ['what it was drawn from, or what it came to, was changed after it was finished.']),
  ];
}

/** What a draw is drawn and paid by: the rows of it, its terms and its game. */
export type DrawRows = {
  readonly draw: SealedRow;
  readonly terms: SealedRow | undefined;
  readonly game: SealedRow | undefined;
  /** What others keep of its seed; undefined where nobody does, or a record of it is not there. */
  readonly kept?: KeptOfDraw | undefined;
};

/** The rules of a draw, with the pays that it was opened with; undefined where they can't be known here. */
function rulesOf({ terms, game }: DrawRows): GameRules | undefined {
  if (!terms || !game) return undefined;
  try {
    return rulesFor({
      gameId: given(game, 'game_key'),
      family: given(game, 'family') as FamilyName,
      digits: Number(given(game, 'digits')),
      pays: JSON.parse(given(terms, 'pays')) as Record<string, number>,
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * What is wrong with the seed and the result of a draw, as sentences, with what keepers and drand gave and signed; undefined where it is not public yet, of another
 * version of the rules, or a record of who keeps it is not there.
 */
export function judgeResult(rows: DrawRows): readonly string[] | undefined {
  const { draw, terms, game, kept } = rows;
  const isJudged = JUDGED_VERSIONS.includes(Number(terms?.['rules_version'])) && (terms?.['kept'] == null || kept);
  if (draw['seed'] == null || draw['status'] === 'void' || !isJudged || !rulesOf(rows)) return undefined;
  const check = verifyDraw({
    drawId: given(draw, 'id'),
    gameId: given(game!, 'game_key'),
    family: given(game!, 'family') as FamilyName,
    digits: Number(game!['digits']),
    rulesVersion: Number(terms!['rules_version']),
    commitment: hexOf(given(draw, 'commitment')),
    seed: hexOf(given(draw, 'seed')),
    weights: JSON.parse(given(terms!, 'weights')) as number[],
    pays: inPoints(JSON.parse(given(terms!, 'pays')) as Record<string, number>),
    unitPrice: Number(given(terms!, 'unit_price')) / HUNDREDTHS,
    resultMode: given(terms!, 'result_mode'),
    manualClaims: given(terms!, 'manual_claims') === 't',
    result: JSON.parse(given(draw, 'result')) as Result,
    booster: Number(draw['booster']),
    source: draw['source'] as 'generated' | 'declared',
    status: given(draw, 'status'),
    ...(kept && { ...kept, closesAt: isoOf(given(draw, 'closes_at')) }),
  });
  return [...(check.ok ? [] : check.problems), ...(kept ? judgeKept(draw, kept) : [])];
}

/** Pays per unit as they are published, in points. */
function inPoints(pays: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(pays).map(([head, hundredths]) => [head, hundredths / HUNDREDTHS]));
}

/** What is wrong with the tickets of a draw whose betting is closed, against the root that it published. */
export function judgeTickets(draw: SealedRow, tickets: readonly KnownTicket[]): readonly string[] {
  const count = Number(draw['ticket_count'] ?? 0);
  if (count !== tickets.length) return [`it was closed with ${count} tickets; the records have ${tickets.length}.`];
  // Of no tickets it is not stored.
  if (count === 0) return [];
  const digests = tickets.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ digest }) => digest);
  const isRoot = Buffer.from(treeRoot(digests)).toString('hex') === hexOf(draw['ticket_root'] ?? '');
  return isRoot ? [] : ['its root is not that of its tickets.'];
}

/** What each ticket of a draw wins, in hundredths, by its id; undefined where its rules can't be known here. */
export function winsBy(rows: DrawRows, tickets: readonly KnownTicket[]): ReadonlyMap<string, bigint> | undefined {
  const rules = rulesOf(rows);
  if (!rules || rows.draw['result'] == null) return undefined;
  const unitPrice = BigInt(given(rows.terms!, 'unit_price'));
  const booster = Number(rows.draw['booster']);
  const pays = new Map(
    rules.winningBets(JSON.parse(rows.draw['result']) as Result).map(({ key, payHundredths }) => [key, payHundredths]),
  );
  return new Map(
    tickets.map(({ id, lines }) => {
      const win = linesOf(lines).reduce((sum, { key, qty }) => {
        const payHundredths = pays.get(key);
        return payHundredths === undefined ? sum : sum + winHundredths({ unitPrice, qty, payHundredths, booster });
      }, 0n);
      return [id, win];
    }),
  );
}

/** The hex digits of bytes as PostgreSQL writes them. */
function hexOf(bytea: string): string {
  return bytea.replace(/^\\x/, '');
}
