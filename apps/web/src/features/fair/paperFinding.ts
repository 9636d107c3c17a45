import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import type { fairPaper } from '@drawhouse/contract/tickets/tickets';
import { rootByPath } from '@drawhouse/rules/merkle';
import type { FairDraw } from './fairDraw.ts';
import { formatHex } from './fairFormat.ts';

type Answer = Pick<RouteAnswer<typeof fairPaper>, 'digest' | 'index' | 'size' | 'path'>;

/** `wrong`: its path leads to another root. `open`: betting is still open. */
export type PaperFinding = 'in' | 'wrong' | 'open';

/** Follows the path from the digest on paper. Ignores digest and root of the answer, which could be forged. */
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
