export const accountDetailsTexts = {
  tryAgain: 'Try again',
  breadcrumbs: 'Breadcrumbs',
};
