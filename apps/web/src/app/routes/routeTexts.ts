export const routeTexts = {
  account: 'Account',
  thisAccount: 'This account',
  thisPageComesWith: 'This page comes in a later release',
  pageNotFoundYou: 'Page not found. You may have mistyped it, or it belongs to another role.',
};
