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

export const accountDetailsTexts = {
  invite: {
    label: 'Invite',
    title: 'Invite',
    make: 'Make link',
    question: (username: string) => `Make a link that lets the owner of ${username} choose a password?`,
    consequence:
      'It works once, within 7 days. The current password and earlier links stop working, and the account is signed out.',
  },
  tryAgain: 'Try again',
  breadcrumbs: 'Breadcrumbs',
  elsewhere: (cell: string) =>
    `This network is in ${cell}. Sign in as the superadmin of ${cell} to change more than the credit of its admin.`,
};

export const accountListTexts = {
  below: (below: string | number) => `Below ${below}`,
  noYet: (rowsName: string | number) => `No ${rowsName} yet`,
  theyAppearHereAs: 'They appear here as soon as the first one is created.',
  transfer: 'Transfer',
  takeBack: 'Take back',
  limit: 'Limit',
  exportSelected: 'Export selected',
  rowsSelectedByHand: 'Rows selected by hand',
};
