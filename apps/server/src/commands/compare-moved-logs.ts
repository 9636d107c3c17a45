import type { CellBooks } from '../credit/across/compare-books.ts';

interface MovedLogs {
  readonly problems: readonly string[];
  /** Cells whose log of that time is gone. */
  readonly unread: readonly string[];
}

/** Rows from before a move are sealed by their earlier cell, whose log must still have what it had then. */
export async function compareMovedLogs(
  books: readonly Pick<CellBooks, 'cell' | 'left' | 'arrived'>[],
  continues: (cell: string, checkpoint: string) => Promise<boolean | undefined>,
): Promise<MovedLogs> {
  const cellOf = new Map(books.flatMap(({ cell, left }) => left.map(({ id }) => [id, cell])));
  const problems: string[] = [];
  const unread = new Set<string>();
  for (const { id, username, checkpoint } of books.flatMap(({ arrived }) => arrived)) {
    const cell = cellOf.get(id);
    if (cell === undefined || checkpoint === null) continue;
    const isIntact = await continues(cell, checkpoint);
    if (isIntact === undefined) unread.add(cell);
    if (isIntact === false)
      problems.push(
        `the seals of ${cell} no longer have what they had when the network of ${username} left (move ${id})`,
      );
  }
  return { problems, unread: [...unread] };
}
