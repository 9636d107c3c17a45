import type { Game } from '@drawhouse/contract/games/games';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { intervalText } from './times/timeForm.ts';

/** Spec texts verbatim, then our own. */
export const gameTexts = {
  title: 'Game Master',
  add: 'Add Game',
  edit: 'Edit Game',
  fields: {
    gameId: 'Game ID',
    gameName: 'Game Name',
    nodigit: 'Number of Digits',
    description: 'Description',
    publisher: 'Publisher',
    releaseDate: 'Release Date',
    status: 'Status',
    timeId: 'Time',
    label: 'Label',
    family: 'Family',
    unitPrice: 'Unit price',
    resultMode: 'Results',
    manualClaims: 'Wins wait until the player claims them',
    logo: 'Logo',
    image: 'Picture',
    images: 'Digit images',
  },
  required: {
    add: {
      gameName: 'Game name is required',
      nodigit: 'Number of digits is required',
      publisher: 'Publisher is required',
      releaseDate: 'Release date is required',
      description: 'Description is required',
      timeId: 'Time is required',
      status: 'Status is required',
    },
    edit: {
      gameName: 'Game Name is required',
      nodigit: 'Number of Digits is required',
      publisher: 'Publisher is required',
      releaseDate: 'Release Date is required',
      description: 'Description is required',
      timeId: 'Time is required',
      status: 'Status is required',
    },
  },
  atLeastOne: 'Must be at least 1',
  fetchFailed: 'Failed to fetch games. Please try again later.',
  createFailed: 'Failed to create game',
  updateFailed: 'Failed to update game',
  deleteFailed: ' Failed to Game deletion ',
  toggleFailed: 'Failed to update game status',
  created: (name: string) => `Game "${name}" created successfully`,
  updated: (name: string) => `Game "${name}" updated successfully`,
  unchanged: 'Nothing to save: no field was changed.',
  ask: {
    activate: { label: 'Activate', title: 'Activate Confirmation' },
    deactivate: { label: 'Deactivate', title: 'Deactivate Confirmation' },
    delete: { label: 'Delete', title: 'Delete Confirmation' },
  },
  question: (action: string, game: string) => `Are you sure you want to ${action} ${game}?`,
} as const;

export type GameAction = keyof typeof gameTexts.ask;

/** Milliseconds (docs/spec/game-operations.md §4). */
export const GAME_MESSAGE_MS = 5_000;

export const FAMILY_NAMES: Readonly<Record<FamilyName, string>> = {
  numbers: 'Numbers, tiles or cards: one of them is drawn',
  roulette: 'Roulette: a wheel with red, black and green',
  triple: 'Triple: three digits, paid by all, two or one of them',
  andarbahar: 'Andhar Bahar: a card, paid by rank, suit or color',
  lottery3d: '3D lottery: three digits with seven kinds of bets',
  lottery4d: '4D lottery: a number in each hundred of three series',
  jodi: 'Andhar Bahar Jodi: two digits in each of three tiers',
};

export const RESULT_MODE_NAMES: Readonly<Record<Game['resultMode'], string>> = {
  open: 'An operator may declare one',
  'two-person': 'An operator may declare one, and a second person must confirm it',
  generated: 'Always generated: no one can declare one',
};

export const timeTexts = {
  title: 'Time Master',
  add: 'Add Time',
  edit: 'Edit Time',
  seconds: 'Time in sec',
  secondsHint: 'Whole seconds from one draw to the next: 5 to 86,400.',
  create: 'Create',
  creating: 'Creating...',
  update: 'Update',
  updating: 'Updating...',
  createFailed: 'Failed to create time',
  updateFailed: 'Failed to update time',
  deleteFailed: 'Failed to delete time',
  deleteTitle: 'Delete Confirmation',
  deleteLabel: 'Delete',
  deleteQuestion: (seconds: number): string => `Are you sure you want to delete the time of ${intervalText(seconds)}?`,
  deleteInUse: 'Games use it. Give them another time before you delete it.',
  deleteUnused: 'No game uses it.',
  unused: 'No game uses this time yet.',
  short: 'It is shorter than the current minimum but keeps working. It can only be changed to 5 seconds or more.',
  notFound: 'This time',
  emptyTitle: 'No times yet',
  emptyText: 'They appear here as soon as the first one is added.',
} as const;
