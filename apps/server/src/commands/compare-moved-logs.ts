import type { AskCell } from '../cells/call-cell.ts';
import { readGroupArrivals, type GroupParts } from '../credit/across/compare-books.ts';
import { askSeals, continuesHere } from '../transparency/transparency.ts';

interface MovedLogs {
  readonly problems: readonly string[];
  /** Earlier cells that are no longer in the group. */
  readonly absent: readonly string[];
}

/** Rows from before a move are sealed by their earlier cell, whose log must still have what it had then. */
export async function compareMovedLogs(
  parts: GroupParts,
  config: Parameters<typeof continuesHere>[0],
  askCell: AskCell,
): Promise<MovedLogs> {
  const { directory } = parts;
  const peers = await directory.peers();
  const problems: string[] = [];
  const absent = new Set<string>();
  for (const { id, username, from, checkpoint } of await readGroupArrivals(parts, askCell)) {
    // Without seals, the earlier cell had no log.
    if (checkpoint === null) continue;
    const peer = peers.find(({ cell }) => cell === from);
    if (!peer && from !== directory.cell) {
      absent.add(from);
      continue;
    }
    const isIntact = await (peer ? askSeals(askCell, peer, checkpoint) : continuesHere(config, checkpoint));
    if (isIntact === true) continue;
    const lost =
      isIntact === null
        ? `${from} no longer has the seal key or name that it had`
        : `the seals of ${from} can't be read, or no longer have what they had`;
    problems.push(`${lost} when the network of ${username} left (move ${id})`);
  }
  return { problems, absent: [...absent] };
}
