import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import type { fairPaper } from '@drawhouse/contract/tickets/tickets';
import { rootByPath } from '@drawhouse/rules/merkle';
import type { FairDraw } from './fairDraw.ts';
import { formatHex } from './fairFormat.ts';

type Answer = Pick<RouteAnswer<typeof fairPaper>, 'digest' | 'index' | 'size' | 'path'>;

/** What a printed ticket shows: that it was in the draw, that its path leads elsewhere, or that betting is open still. */
export type PaperFinding = 'in' | 'wrong' | 'open';

/** Computes where the path of a printed ticket leads, from the digest that stands on the paper. Of the answer neither digest nor root counts. */
export function paperFinding(
  digest: string,
  { index, size, path }: Answer,
  { ticketRoot, tickets }: Pick<FairDraw, 'ticketRoot' | 'tickets'>,
): PaperFinding {
  if (ticketRoot === null || index === null || size === null || path === null) return 'open';
  const root = rootByPath({ leaf: bytesOf(digest), index, size, path: path.map(bytesOf) });
  return size === tickets && root !== null && formatHex(root) === ticketRoot.toLowerCase() ? 'in' : 'wrong';
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
