export const transactionTexts = {
  title: 'Transaction Report',
  date: 'Date',
  user: 'User',
  sideOf: (username: string) => `Credit came to ${username}, Debit went from ${username}.`,
  sideOfLower: 'Credit came to the lower of the two accounts of a transfer, Debit went from it.',
  empty: {
    title: 'No transfers on this day',
    text: 'Credit that is given, taken back, bet, won, earned or paid out is listed here, with who had it before and after.',
  },
  yesterday: 'Show the day before',
  phone: { transfer: 'Transfer', amount: 'Amount' },
} as const;
