/** Answers of the calls about games, draw times and beacons. */
export const GAME_TEXTS = {
  added: (name: string): string => `Game "${name}" created successfully`,
  changed: (name: string): string => `Game "${name}" updated successfully`,
  toggled: (name: string, action: 'activate' | 'deactivate'): string => `Game "${name}" ${action}d successfully`,
  deleted: 'Game deleted successfully',
  hasDraws: (name: string): string =>
    `${name} has draws and may have tickets, so it can't be deleted. Deactivate it instead.`,
  hasBalance: (name: string): string =>
    `An admin has a game balance on ${name}. Reset it, or deactivate the game instead.`,
  timeAdded: 'Time created successfully!',
  timeChanged: 'Time updated successfully!',
  timeDeleted: 'Time deleted successfully!',
  beaconsSet: 'Beacons set',
} as const;

/** Subject of a log row. */
export const deletedSubject = (name: string): string => `Deleted game ${name}`;
