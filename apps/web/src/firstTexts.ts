import { SESSION_REPLACED_MESSAGE } from '@drawhouse/contract/frame/errors';

/** Said of what failed without a word, where the spec has no other sentence. */
export const SOMETHING_WENT_WRONG = 'Something went wrong';

/** What those read who are not signed in: the part of `commonTexts` that the sign-in needs. */
export const firstTexts = {
  product: 'Drawhouse',
  errors: {
    somethingWentWrong: SOMETHING_WENT_WRONG,
    noResponse: 'An unexpected error occurred',
    /** Beside the sentence of the spec: what is so. */
    noConnection: 'There is no connection to the server.',
    unanswered: 'No answer came, so it may have been done all the same. Check before you send it again.',
    mayBeDone: 'It may have been done all the same. Check before you send it again.',
  },
  auth: {
    username: 'Username',
    password: 'Password',
    rememberMe: 'Remember me',
    login: 'Login',
    loggingIn: 'Logging in...',
    success: 'Login successful!',
    failed: 'Login failed.',
    error: 'An error occurred during login.',
    signUp: 'Sign Up',
    welcome: 'What is played here',
    nowhere: 'This address leads nowhere. Sign in to go on.',
    sessionEnded: 'Your session has ended. Please sign in again.',
    sessionReplaced: SESSION_REPLACED_MESSAGE,
    logout: 'Log Out',
    logoutFailed: 'Logout failed.',
    editProfile: 'Edit Profile',
  },
} as const;

/** How long a message stays before it clears, in milliseconds; `live` is what a panel says was done. */
export const MESSAGE_MS = { usual: 2000, credit: 3000, live: 1500 } as const;

/** How long a form shows its success before it leaves, in milliseconds: after sign-in, create and edit. */
export const LEAVE_AFTER_MS = 1000;
