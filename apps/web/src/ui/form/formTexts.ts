export const formTexts = {
  cancel: 'Cancel',
  yourChangesWillBe: 'Your changes will be lost.',
  leaveWithoutSaving: 'Leave without saving?',
  leaveWithoutSaving2: 'Leave without saving',
  stay: 'Stay',
};
