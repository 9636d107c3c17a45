export const STANDING_ORDER_TEXTS = {
  made: 'Standing order made.',
  ended: 'Standing order ended.',
  notDirectlyBelow: 'Choose an account directly below you',
  missing: 'Enter this too',
  wrongUntil: 'Choose a time from now to one year ahead',
  tooMany: (most: number): string => `An account has at most ${most} standing orders. End one first.`,
  alreadyEnded: 'This standing order has already ended.',
  noKeys: 'Programs can’t make standing orders, because their daily amount would not apply.',
} as const;

export const STANDING_ORDER_NOTES = {
  given: (until: string): string => `Temporary credit until ${until}`,
  takenBack: 'Temporary credit taken back',
  refill: (points: string): string => `Refill to ${points}`,
} as const;

export const STANDING_ORDER_REASONS = {
  lacksCredit: (giver: string, points: string): string => `${giver} lacked the ${points} points.`,
  takenBack: (points: string): string => `${points} taken back.`,
  takenBackPartly: (points: string, all: string, rest: string): string =>
    `${points} of ${all} taken back. ${rest} still owed.`,
  moved: (username: string): string => `${username} now has another account above it.`,
  deleted: (username: string): string => `${username} was deleted.`,
  giverGone: (giver: string): string => `${giver}, or the login that made it, is no longer active.`,
  noRight: (giver: string): string => `${giver} may no longer move credit.`,
  undone: 'A restore undid it. Make it again if you still want it.',
  byHand: 'Ended by hand.',
} as const;

export const STANDING_ORDER_SUBJECTS = {
  made: (kind: string, username: string, terms: string): string =>
    `Made a standing order for ${username}: ${kind.toLowerCase()}, ${terms.charAt(0).toLowerCase()}${terms.slice(1)}`,
  ended: (kind: string, username: string): string => `Ended the standing order for ${username}: ${kind.toLowerCase()}`,
  moved: (subject: string): string => `${subject} by standing order`,
  nothing: (username: string, kind: string): string =>
    `Standing order for ${username}: ${kind.toLowerCase()}, nothing to move`,
  skipped: (username: string, kind: string, reason: string): string =>
    `Skipped the standing order for ${username}: ${kind.toLowerCase()}. ${reason}`,
  stopped: (username: string, value: string): string => `Stopped selling below ${username}: ${value}`,
  resumed: (username: string, value: string): string => `Resumed selling below ${username}: ${value}`,
  value: { credit: (points: string): string => `credit ${points}`, owed: (points: string): string => `owed ${points}` },
} as const;
