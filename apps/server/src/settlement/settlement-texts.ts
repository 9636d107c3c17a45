import { drawName } from '@drawhouse/rules/time/draw-name';

export const SETTLEMENT_TEXTS = {
  seedUnreadable: "This draw's seed can't be read, so it has no result. It will be voided at its draw time.",
  winsTooLarge: 'The wins of this draw exceed what the books can hold. It will be voided at its draw time.',
  generated: 'Result generated successfully!',
  waitingForBeacon: 'Betting is closed. The result will be generated when the beacon publishes its value.',
  notCovered: (points: string): string =>
    `This result is not covered: the admin needs ${points} more points of credit to pay it.`,
  alwaysGenerated: "Results of this draw are always generated. You can't save one.",
  savedChanged: 'The saved result has changed. Check it again.',
  confirmed: (sameAddress: boolean): string =>
    `Result confirmed${sameAddress ? ', from the address that saved it' : ''}. It settles at the draw time.`,
  savedForSecond: 'Result saved. A second person must confirm it before the draw time.',
  saved: 'Result added successfully!',
  alreadyConfirmed: 'This result has already been confirmed. It settles at the draw time.',
  decidedOutside: (source: string): string =>
    `${source} decides this draw. Its result can be entered after the draw time.`,
  stillClosing: 'Betting on this draw is being closed. Try again in a moment.',
  notAwaited: (source: string, status: string): string =>
    status === 'void'
      ? `This draw of ${source} is void: no result was entered in time.`
      : status === 'closed'
        ? `No result of ${source} was entered in time. The draw will be voided.`
        : `The result of ${source} has already been entered.`,
  enteredForSecond: (source: string): string => `Result of ${source} saved. A second person must confirm it.`,
  entered: (source: string): string => `Result of ${source} entered. The draw is settled.`,
  noOutside: 'No outside lottery decides this draw, so its result cannot be corrected.',
  notSettled: 'Only the result of a settled draw can be corrected.',
  ticketsCleared: 'The tickets of this draw are cleared, so its result cannot be corrected.',
  tooLate: (hours: number): string => `A result can be corrected within ${hours} hours. That time is over.`,
  underWay: 'A correction of this draw is under way. Try again in a moment.',
  sameResult: 'The draw already has this result',
  correctedSince: (label: string): string => `The result of this draw is now ${label}. Check it again.`,
  corrected: (source: string): string => `Result of ${source} corrected.`,
  noBooster: 'Results of outside lotteries have booster 1',
  wrongBooster: (most: number): string => `The booster must be a whole number from 1 to ${most}`,
  voided: 'Draw voided. All stakes have been refunded.',
} as const;

export const SETTLEMENT_SUBJECTS = {
  generated: (game: string, number: bigint): string => `Generated the result of ${game}, draw ${drawName(number)}`,
  closed: (game: string, number: bigint): string =>
    `Closed betting on ${game}, draw ${drawName(number)}, to generate its result`,
  voided: (game: string, number: bigint, reason: string, isSeedPublished: boolean): string =>
    `Voided ${game}, draw ${drawName(number)}: ${reason}${isSeedPublished ? '' : ' (its seed could not be read)'}`,
  entered: (verb: string, label: string, source: string, game: string, number: bigint): string =>
    `${verb} result ${label} of ${source} for ${game}, draw ${drawName(number)}`,
  corrected: (source: string, before: string, after: string, game: string, number: bigint): string =>
    `Corrected the result of ${source} from ${before} to ${after} for ${game}, draw ${drawName(number)}`,
  saved: (verb: string, label: string, booster: number, game: string, number: bigint): string =>
    `${verb} result ${label} booster ${booster} of ${game}, draw ${drawName(number)}`,
  clockAhead: 'the clock was ahead when it opened',
  voidedByClock: (game: string, number: bigint, reason: string): string =>
    `Voided ${game}, draw ${drawName(number)}: ${reason}`,
  clockCorrected: 'Let draws open again after a clock correction',
} as const;
