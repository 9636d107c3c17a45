export const accountDetailsTexts = {
  invite: {
    label: 'Invite',
    title: 'Invite',
    make: 'Make link',
    question: (username: string) => `Make a link with which the owner of ${username} chooses a password?`,
    consequence:
      'It works once, within 7 days. The present password and earlier links stop working, and the account is signed out.',
  },
  tryAgain: 'Try again',
  breadcrumbs: 'Breadcrumbs',
};
