const counted = (pixels: number): string => pixels.toLocaleString('en-US');

export const GAME_TEXTS = {
  added: (name: string): string => `Game "${name}" created successfully`,
  changed: (name: string): string => `Game "${name}" updated successfully`,
  toggled: (name: string, action: 'activate' | 'deactivate'): string => `Game "${name}" ${action}d successfully`,
  deleted: 'Game deleted successfully',
  cellSilent: (cell: string | null): string =>
    `${cell ?? 'The directory of all cells'} does not answer, so nobody knows whether another cell has draws of this ` +
    'game. Nothing was changed. Please try again in a few minutes.',
  hasDraws: (name: string): string =>
    `${name} has draws and may have tickets, so it can't be deleted. Deactivate it instead.`,
  hasBalance: (name: string): string =>
    `An admin has a game balance on ${name}. Reset it, or deactivate the game instead.`,
  timeAdded: 'Time created successfully!',
  timeChanged: 'Time updated successfully!',
  timeDeleted: 'Time deleted successfully!',
  beaconsSet: 'Beacons set',
  wrongBeacons: 'Choose beacons listed in BEACONS, each once',
  keysTaken: (games: string): string => `Other games here have the same key or id: ${games}. Nothing was changed.`,
  unsupported: (games: string): string =>
    `This server does not support these games of the network: ${games}. Nothing was changed.`,
  termsKept: (games: string): string => `These games keep the terms they have here: ${games}.`,
  wrongImages: "Images of its games don't match their hashes. Nothing was changed.",
  noBuiltIn: (keys: string): string => `There is no game ${keys}`,
  canceled: 'The request was canceled',
  imageTooLarge: (wide: number, high: number): string =>
    `An image can have at most 4,000 × 4,000 pixels. This one has ${counted(wide)} × ${counted(high)}`,
  imageDamaged: 'This image is damaged and can’t be read completely',
  notImage: 'This is not a JPEG, PNG or WebP image. Choose another file',
  imagesNeedLabel: 'Images of digits need label yes',
  tooManyImages: (most: number, digits: number): string =>
    `At most ${most} digits can have images. This game has ${digits}`,
  wrongImageCount: (digits: number, sent: number): string =>
    `Send exactly one image for each of the ${digits} digits. You sent ${sent}`,
  fetched: 'Games fetched successfully',
  beaconMissing: (beacon: string): string =>
    `Games of this network use ${beacon}, which is not in BEACONS here. Add it, or remove it from the games and ` +
    'export the network again.',
  familyFixed: (family: string): string => `The family of a game with draws can't change: ${family}`,
  digitsFixed: (digits: number): string => `The number of digits of a game with draws can't change: ${digits}`,
  noTime: (id: string): string => `There is no time ${id}`,
  balanceAdded: 'Balance added successfully!',
  balanceReset: 'Balance Reset successfully!',
  tableOwes: (points: string): string => `The table owes ${points} points. Add balance to cover it.`,
  balanceNeeded: (points: string): string =>
    `The running draw needs this balance: ${points} points could still be paid out. Reset it after the draw.`,
  adminHas: (points: string): string => `The admin has only ${points} points`,
  belowUnit: (price: number): string =>
    `This is less than one unit, ${price}. Enter at least that, or leave it empty for no limit`,
  abovePlayer: (points: number): string =>
    `A player can bet ${points} on one draw. Enter at most that, or raise the limit per player`,
  noAdmin: 'No such admin below you.',
  noPair: 'This admin has no such game.',
  notFound: 'No such game. It may have been deleted.',
  unavailable: 'This game is not available to you',
  noPairInRow: 'This admin has no such game',
  rowTwice: 'Send each row only once',
  percentageSet: 'Win percentage set',
  percentagesSet: (count: number): string => `${count} win percentages set`,
  percentageTooHigh: (most: number, game: string, admin: string, booster: number): string =>
    `At most ${most} for ${game} of ${admin}: its highest booster is ${booster}`,
  timeMissing: 'No such time. It may have been deleted.',
  timeInUse: (names: string, count: number): string =>
    `${names} ${count === 1 ? 'uses' : 'use'} this time. Give ${count === 1 ? 'it' : 'them'} another time first.`,
  timeTaken: (seconds: number): string => `A time of ${seconds} seconds already exists`,
  limitsSet: 'Limits set',
  scheduleAdded: 'Schedule created successfully!',
  scheduleChanged: 'Schedule updated successfully!',
  scheduleDeleted: 'Schedule deleted successfully!',
  scheduleMissing: 'No such schedule. It may have been deleted.',
  scheduleTaken: (name: string): string => `A schedule named ${name} already exists`,
  scheduleInUse: (names: string, count: number): string =>
    `${names} ${count === 1 ? 'draws' : 'draw'} by this schedule. Take ${count === 1 ? 'it' : 'them'} out first.`,
  noGame: (id: string): string => `There is no game ${id}`,
  closedWithTickets: (game: string, draws: string): string =>
    `${game} has sold tickets for these draws: ${draws}. Leave them open.`,
  closuresSet: 'Closed days and hours set',
} as const;

export const deletedSubject = (name: string): string => `Deleted game ${name}`;

export const GAME_SUBJECTS = {
  addedByMove: (name: string): string => `Added game ${name} of a network that is moved here`,
  followed: (cell: string): string => `Took the games, times and schedules over from ${cell}`,
  builtInAdded: (name: string): string => `Added built-in game ${name}`,
  percentagesRestored: (username: string): string => `Restored the win percentages of games of ${username}`,
  limitsRestored: (username: string): string => `Restored the limits of games of ${username}`,
  beaconsRestored: (username: string): string => `Restored the beacons of games of ${username}`,
  added: (name: string): string => `Added game ${name}`,
  changed: (name: string): string => `Changed game ${name}`,
  toggled: (verb: string, name: string): string => `${verb} game ${name}`,
  balanceChanged: (verb: string, game: string, points: string): string =>
    `${verb} the game balance of ${game}: ${points} points`,
  timeAdded: (seconds: number): string => `Added a time of ${seconds} s`,
  timeGames: (games: string): string => `, for ${games} after their running draws`,
  timeChanged: (before: number, after: number, games: string): string =>
    `Changed a time from ${before} s to ${after} s${games}`,
  scheduleAdded: (name: string): string => `Added the schedule ${name}`,
  scheduleChanged: (name: string): string => `Changed the schedule ${name}`,
  scheduleDeleted: (name: string): string => `Deleted the schedule ${name}`,
  closuresSet: (games: string, username: string): string => `Set closed days and hours of ${games} of ${username}`,
  timeDeleted: (seconds: number): string => `Deleted the time of ${seconds} s`,
} as const;
