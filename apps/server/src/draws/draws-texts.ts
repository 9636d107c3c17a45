import { drawName } from '@drawhouse/rules/time/draw-name';

export const DRAW_TEXTS = {
  savedYourself: 'You saved this result yourself. A second person must confirm it.',
  savedByAccount: 'Someone in your account saved this result. Someone from another account must confirm it.',
  history: (first: string, last: string, on: string): string => `the history from ${first} to ${last}, on ${on}`,
  proofCleared: (history: string): string => `The proof of this draw was cleared with ${history}.`,
  proofMayBeCleared: (sentence: string, history: string): string =>
    `${sentence} If there was one, its proof was cleared with ${history}.`,
  noneRunning: 'No draw of this game is running.',
  isOver: 'That draw is over. The next one is open.',
  inStatus: (number: bigint, status: string): string => `Draw ${drawName(number)} is ${status}.`,
} as const;

export const DRAW_SUBJECTS = {
  openedOne: 'Opened a draw',
  opened: (draws: number): string => `Opened ${draws} draws`,
  savedResult: (label: string, booster: number | null): string => `the saved result ${label} booster ${booster}`,
  alwaysGenerated: (saved: string): string =>
    `${saved} was not used, because results of this draw are always generated`,
  unconfirmed: (saved: string): string => `${saved} was not confirmed by a second person`,
  generated: (label: string | null, booster: number | null, game: string, number: bigint, why: string): string =>
    `Generated result ${label} booster ${booster} of ${game}, draw ${drawName(number)}: ${why}`,
  voided: (game: string, number: bigint, reason: string): string =>
    `Voided ${game}, draw ${drawName(number)}: ${reason}`,
} as const;

export const LEFT_TO_BEACON = {
  save: 'With a beacon, a result can only be saved before betting’s scheduled close.',
  void: 'With a beacon, a draw can only be voided before betting’s scheduled close.',
  generate: 'This draw already has a saved result. With a beacon, a result can only be generated if none is saved.',
} as const;

export const VOID_REASONS = {
  seed: 'its seed could not be unsealed, or is not the one that was committed to',
  wins: 'its wins exceed what the books can hold',
  restore: 'it was open when its network was restored',
  beacon: 'a beacon of its seed did not publish its value in time',
  outside: 'no outside result was entered before its deadline',
  root: 'its tickets were not sealed before the beacon value could be known',
} as const;
