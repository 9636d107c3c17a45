/** The live panel's texts: the specification's to the letter, then ours. */
export const LIVE = {
  dailyTitle: 'Daily Collection & Results',
  gameBalance: 'TOTAL Game Balance',
  collection: 'TOTAL COLLECTION',
  payment: 'TOTAL PAYMENT',
  balance: 'BALANCE',
  drawCollection: 'TOTAL DRAW COLLECTION',
  save: 'SAVE',
  refresh: 'Refresh',
  resetBalance: 'Reset Balance',
  addBalance: 'Add Balance',
  generateQuestion: 'Generate the current result now?',

  invalidBalance: 'Please enter a valid balance greater than 0.',
  invalidResult: 'Please enter a valid result.',
  balanceAdded: 'Balance added successfully!',
  balanceReset: 'Balance Reset successfully!',
  balanceFailed: 'Failed to add balance. Please try again.',
  balanceError: 'Error occurred while adding balance!',
  resetError: 'Error while resetting balance!',
  resultAdded: 'Result added successfully!',
  resultFailed: 'Failed to add result. Please try again.',
  resultError: 'Error occurred while adding result!',
  generated: 'Result generated successfully!',
  generateFailed: 'Failed to generate result.',
  generateError: 'Error occurred while generating result!',

  unanswered: 'No answer came, so it may have been done. Do the same again: it is done only once.',
  notSent: 'There is no connection, so nothing was sent.',
  voided: 'Draw voided. Every stake goes back to its player.',
  voidFailed: 'Failed to void the draw.',
  voidError: 'Error occurred while voiding the draw!',
  reasonRequired: 'Reason is required',
  commitmentWhy:
    'Fixed before the first bet. When the draw is settled, its seed shows that a generated result was not altered.',
} as const;

/** How long a message under a field stays. */
export const MESSAGE_MS = 2_000;
