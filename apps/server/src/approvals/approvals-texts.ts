export const APPROVAL_TEXTS = {
  notFound: 'There is no such request, or you may not see it.',
  approved: (subject: string): string => `Approved: ${subject}.`,
  declined: 'Request declined. Nothing was changed.',
  withdrawn: 'Request withdrawn. Nothing was changed.',
  own: "You can't decide your own request. Someone else has to.",
  notYours: 'Only the account that asked can withdraw its request.',
  expired: 'This request has expired.',
  done: 'Someone approved this request, and it is done.',
  running: 'Someone has approved this request. It runs now.',
  noLonger: (username: string): string =>
    `${username} is inactive or has lost the permission, so this can't be approved. Decline it.`,
  keyEnded: 'The API key has ended.',
  endedByRestore: 'A restore of the network ended it.',
  endedByMove: 'The move of the network ended it.',
  nothingLeft: 'This would no longer change anything. Decline it.',
  noAct: 'This server no longer knows this action. Decline the request.',
  nobody:
    'This needs the approval of a second person, and nobody else may approve it: no active account above, or each set the ' +
    'password of the other less than 7 days ago.',
  nobodyForRoot: (permissions: readonly string[]): string =>
    'Nobody else could approve it, so this rule would block you. First add a login to your account that has these ' +
    `permissions: ${permissions.map((each) => `“${each}”`).join(', ')}.`,
  passwordApart: 'This change needs an approval, so set the password in a separate call',
  filesApart: 'This change needs an approval, so send the images in a separate call.',
  noAdmin: 'Choose an admin below you, or yourself',
  rulesSaved: 'Approval rules saved.',
  ofNetwork: 'This rule belongs to the network of an admin',
  ofHouse: 'This rule applies to the whole house. Change it on your own account',
} as const;

const FUTURE: Readonly<Record<string, string>> = {
  Added: 'Add',
  Changed: 'Change',
  Closed: 'Close',
  Corrected: 'Correct',
  Created: 'Create',
  Deleted: 'Delete',
  Gave: 'Give',
  Issued: 'Issue',
  Paid: 'Pay',
  Received: 'Receive',
  Retired: 'Retire',
  Reversed: 'Reverse',
  Took: 'Take',
  Undid: 'Undo',
  Voided: 'Void',
};

/** `Give 50 points to anita`. The log row of the action says `Gave`. */
export const futureOf = (subject: string): string => subject.replace(/^\w+/, (verb) => FUTURE[verb] ?? verb);

export const APPROVAL_SUBJECTS = {
  asked: (subject: string): string => `Requested approval: ${subject}`,
  approved: (number: number, username: string, subject: string): string =>
    `Approved request ${number} of ${username}: ${subject}`,
  declined: (number: number, username: string, subject: string): string =>
    `Declined request ${number} of ${username}: ${subject}`,
  withdrawn: (number: number, subject: string): string => `Withdrew request ${number}: ${subject}`,
  expired: (number: number, username: string, subject: string): string =>
    `Request ${number} of ${username} expired: ${subject}`,
  interrupted: (number: number, username: string, subject: string): string =>
    `Request ${number} of ${username} was interrupted and waits again: ${subject}`,
  rules: (username: string): string => `Changed the approval rules of ${username}`,
  approvedBy: 'Approved by',
  reason: 'Reason',
  none: 'No approval',
  above: (points: string): string => `Above ${points}`,
} as const;
