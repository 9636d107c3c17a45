/** Those about amounts are from docs/spec/accounts-and-credit.md §5. */
export const CREDIT_FIELD_TEXTS = {
  wrongWallet: 'The wallet must be credit, commission or winnings',
  amountMissing: 'Amount is required',
  wrongTransfer: 'Invalid transfer amount. Please enter a valid number.',
  notAboveZero: 'Amount must be greater than 0',
  noteNotText: 'Note must be text',
  wrongTransactionType: 'Transaction type must be credit or debit',
  wrongAdjustment: 'Invalid adjustment amount. Please enter a valid number.',
} as const;
