export const formTexts = {
  addresses: 'Allowed IP addresses',
  addressesHint: 'One per line, e.g. 203.0.113.7 or 203.0.113.0/24. Leave empty for any.',
  cancel: 'Cancel',
  yourChangesWillBe: 'Your changes will be lost.',
  leaveQuestion: 'Leave without saving?',
  leaveWithoutSaving: 'Leave without saving',
  stay: 'Stay',
};
