export const CREDIT_TEXTS = {
  payApart: 'This needs an approval. Pay the accounts of one network at a time.',
  onlyPlayersWinnings: 'Only a player has winnings',
  days: (first: string, last: string): string => `${first} to ${last}`,
  restored: (at: string): string => `Your account was restored to its state of ${at}. Later movements no longer count.`,
  notBelow: 'Choose an account below you',
  nothingPending: 'There is no commission to pay out.',
  onlyPending: (points: string): string => `Only ${points} points are pending.`,
  transferred: 'Credit transfer successful!',
  adjusted: 'Credit adjustment successful!',
  paidOut: 'Commission payout successful!',
  notInPath: 'Send the account that the path names, or leave it out',
  dailyLimit: (limit: string, left: string): string =>
    `Your daily limit is ${limit} points. You have ${left} left today.`,
  loginLimit: (limit: string, left: string): string =>
    `Your login may give ${limit} points a day. You have ${left} left today.`,
  paymentFailed: 'Payment failed in this network, and nothing was paid there. Please try again.',
  networkMoving: "This admin's network is being moved here. Wait until the move is complete.",
  notReversible: 'Choose a transfer to or from an account below you',
  notMaker: 'Only the account that made this transfer, or an account above it, can reverse it.',
  isReversal: "A reversal can't be reversed.",
  deleted: (username: string): string => `The account ${username} was deleted.`,
  historyCleared: (username: string): string =>
    `History of ${username} after this transfer was cleared, so it can't be reversed. Adjust the credit instead.`,
  tooLittleLeft: (username: string, balance: string, amount: string): string =>
    `${username} has only ${balance} of the ${amount} points left.`,
  inactive: (username: string): string => `${username} is not active, so it can't receive credit`,
  notBelowOf: (account: string): string => `Choose ${account} below you`,
  toItself: "You can't move credit from an account to itself.",
  onlyHas: (username: string, points: string): string => `${username} has only ${points} points`,
  tooMuchIssued: (points: string): string => `At most ${points} points can be in circulation`,
  reversed: 'Transfer reversed.',
  inTransit: (username: string, cell: string): string =>
    `On its way: ${cell} has not answered yet. ${username} gets the credit as soon as it does.`,
  takeBackInTransit: (username: string, cell: string): string =>
    `On its way: ${cell} has not answered yet. You get the credit of ${username} as soon as it does.`,
  noMessage: (id: string): string => `This cell has sent no message ${id}. Run npm run group -- doctor.`,
  notStuck: 'This message has its answer, so there is nothing to end.',
  hasMessage: (cell: string, failure: string | null): string =>
    `${cell} has this message, so its answer counts. ${failure ?? 'The server books it within a minute.'}`,
  mayHaveMessage: (cell: string): string =>
    `${cell} does not answer, and it may have applied this message. Start it, then try again.`,
  notBooked: (cell: string, reason: string): string => `${cell} can’t book the answer: ${reason}`,
  notInOrder: (cell: string): string => `${cell} has other messages under this number and the next ones.`,
  acrossCells:
    "This credit crossed cells, so the transfer can't be reversed. Give it or take it back by an adjustment.",
} as const;

export const CREDIT_SUBJECTS = {
  paidOut: (points: string, username: string): string => `Paid out ${points} points of commission to ${username}`,
  transferReversed: (points: string, upper: string, lower: string): string =>
    `Reversed the transfer of ${points} from ${upper} to ${lower}`,
  takeBackReversed: (points: string, lower: string, upper: string): string =>
    `Reversed taking back ${points} from ${lower} to ${upper}`,
  gave: (points: string, username: string): string => `Gave ${points} points to ${username}`,
  many: (points: string, count: number, direction: 'give' | 'takeBack'): string =>
    direction === 'give'
      ? `Gave ${points} points to ${count} accounts`
      : `Took ${points} points back from ${count} accounts`,
  giftSent: (points: string, username: string, cell: string): string =>
    `Gave ${points} points to ${username} in ${cell}`,
  takeBackSent: (points: string, username: string, cell: string): string =>
    `Asked for ${points} points back from ${username} in ${cell}`,
  giftApplied: (points: string, username: string, cell: string): string =>
    `Gave ${points} points to ${username}, sent by ${cell}`,
  takeBackApplied: (points: string, username: string, cell: string): string =>
    `Took ${points} points back from ${username} for ${cell}`,
  messageRefused: (username: string, cell: string): string => `Refused to move credit of ${username} for ${cell}`,
  takeBackArrived: (points: string, username: string, cell: string): string =>
    `Got ${points} points back from ${username} in ${cell}`,
  giftReturned: (points: string, username: string, cell: string): string =>
    `Got ${points} points back that ${username} in ${cell} could not receive`,
  giftArrived: (points: string, username: string, cell: string): string =>
    `Gave ${points} points to ${username} after all: ${cell} has applied the gift`,
  takeBackReturned: (points: string, username: string, cell: string): string =>
    `Returned ${points} points to ${username}: ${cell} has not taken them back after all`,
  messageEnded: (kind: 'give' | 'takeBack', points: string, username: string, cell: string): string =>
    kind === 'give'
      ? `Ended the gift of ${points} points to ${username} in ${cell}`
      : `Ended taking ${points} points back from ${username} in ${cell}`,
  deliveryRefused: (username: string, cell: string): string => `${cell} refused to move credit of ${username}`,
  tookBack: (points: string, username: string): string => `Took ${points} points back from ${username}`,
} as const;
