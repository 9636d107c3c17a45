import type { Arrival } from '../credit/across/compare-books.ts';

interface MovedLogs {
  readonly problems: readonly string[];
  /** Earlier cells without a log of that time, or no longer in the group. */
  readonly unread: readonly string[];
}

/** Rows from before a move are sealed by their earlier cell, whose log must still have what it had then. */
export async function compareMovedLogs(
  arrivals: readonly Arrival[],
  continues: (cell: string, checkpoint: string) => Promise<boolean | undefined>,
): Promise<MovedLogs> {
  const problems: string[] = [];
  const unread = new Set<string>();
  for (const { id, username, from, checkpoint } of arrivals) {
    // Without seals, the earlier cell had no log.
    if (checkpoint === null) continue;
    const isIntact = await continues(from, checkpoint);
    if (isIntact === undefined) unread.add(from);
    if (isIntact === false)
      problems.push(
        `the seals of ${from} no longer have what they had when the network of ${username} left, or can't be read (move ${id})`,
      );
  }
  return { problems, unread: [...unread] };
}
