export const CELLS_TEXTS = {
  mayBeIn: (cells: readonly (string | null)[]): string =>
    `This cell does not have it, and ${cells.map((cell) => cell ?? 'the directory').join(', ')} ` +
    'does not answer. Please try again in a few minutes.',
  inFirstCell: (cell: string | undefined): string =>
    `The house, games, times, schedules and issued credit belong to ${cell ?? 'the first cell'}. ` +
    'Please sign in there as its superadmin.',
  /** Label in files. */
  notIncluded: 'Not included',
  missing: (cell: string | null, networks: readonly string[]): string =>
    cell === null ? 'other cells' : `${cell} (${networks.join(', ') || 'no networks'})`,
};
