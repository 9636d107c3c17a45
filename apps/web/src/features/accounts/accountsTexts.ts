export const accountsTexts = {
  thisAccount: 'This account',
  allItsSessionsEnd: 'All its sessions end immediately. It can sign in again.',
  itsRemainingBalancesReturn: 'Its remaining balances return to its parent. The username stays taken.',
  some: 'Some',
  it: 'It',
  signedOutImmediatelyAnd: (
    it: string | number,
    is: string | number,
    others: string | number,
    toLowerCase: string | number,
  ) => `${it} ${is} signed out immediately${others}, and can’t sign in or bet until ${toLowerCase} ${is} active again.`,
  withEveryoneBelow: (them: string | number) => `, with everyone below ${them}`,
  stillCantSignIn: (who: string | number, username: string | number) =>
    `${who} still can’t sign in: ${username} is not active.`,
};
