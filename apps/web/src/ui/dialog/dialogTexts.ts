export const dialogTexts = {
  yourPassword: 'Your password',
  whyPassword: 'Asked after a reload, in a new tab, and after 10 minutes without such a change.',
  cancel: 'Cancel',
  confirm: 'Confirm',
};
