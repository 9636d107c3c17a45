export const transactionTexts = {
  title: 'Transaction Report',
  date: 'Date',
  user: 'User',
  sideOf: (username: string) => `Credit: received by ${username}. Debit: taken from ${username}.`,
  sideOfLower: 'Credit: received by the account lower in the network. Debit: taken from it.',
  empty: {
    title: 'No transfers on this day',
    text: 'Every movement of credit is listed here: given, taken back, bet, won, earned or paid out.',
  },
  yesterday: 'Show the previous day',
  phone: { transfer: 'Transfer', amount: 'Amount' },
} as const;
