export const dialogTexts = {
  invitation: {
    title: 'Invitation link',
    once: (of: string, time: string) =>
      `Send this link only to ${of}: anyone who opens it can choose the password. It is shown only here, and works once, until ${time}.`,
    link: 'Link',
    print: 'Print slip',
    done: 'Done',
  },
  copy: 'Copy',
  copied: 'Copied',
  yourPassword: 'Your password',
  whyPassword: 'Asked after a reload, in a new tab, and after 10 minutes without such a change.',
  yourCode: 'Second-factor code',
  whyCode: 'Six digits from your app, or a recovery code. Asked after a reload, in a new tab, and after 10 minutes.',
  byPasskey: 'Use a passkey',
  passkeyDone: 'Your passkey has confirmed that it is you.',
  passkeyFailed: 'The passkey did not work. Try again, or enter a code.',
  codeRequired: 'Enter the code',
  cancel: 'Cancel',
  confirm: 'Confirm',
};

export const formTexts = {
  addresses: 'Allowed IP addresses',
  addressesHint: 'One per line, e.g. 203.0.113.7 or 203.0.113.0/24. Leave empty for any.',
  cancel: 'Cancel',
  yourChangesWillBe: 'Your changes will be lost.',
  leaveQuestion: 'Leave without saving?',
  leaveWithoutSaving: 'Leave without saving',
  stay: 'Stay',
};
