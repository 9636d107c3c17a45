export const formTexts = {
  cancel: 'Cancel',
  yourChangesWillBe: 'Your changes will be lost.',
  leaveQuestion: 'Leave without saving?',
  leaveWithoutSaving: 'Leave without saving',
  stay: 'Stay',
};
