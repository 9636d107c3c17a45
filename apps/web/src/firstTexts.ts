import { SESSION_REPLACED_MESSAGE } from '@drawhouse/contract/core/errors';

export const SOMETHING_WENT_WRONG = 'Something went wrong';

export const firstTexts = {
  errors: {
    somethingWentWrong: SOMETHING_WENT_WRONG,
    noResponse: 'An unexpected error occurred',
    noConnection: 'No connection to the server.',
    partMissing: 'This could not be loaded. Check your connection and try again, or reload the page.',
    unanswered: 'No answer. We don’t know whether it went through. Check before you send it again.',
    mayBeDone: 'We don’t know whether it went through. Check before you send it again.',
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
    forgot: 'Forgot your password?',
    welcome: 'See the games',
    nowhere: 'Page not found. Sign in to continue.',
    sessionEnded: 'Your session has ended. Please sign in again.',
    sessionReplaced: SESSION_REPLACED_MESSAGE,
    logout: 'Log Out',
    logoutFailed: 'Logout failed.',
    editProfile: 'Edit Profile',
  },
  pageNotLoaded: 'Page not loaded',
  close: 'Close',
  showPassword: 'Show password',
  banner: {
    noConnection: 'No connection.',
    newVersionAvailable: 'New version available.',
    finishWhatYouStarted: 'Finish what you started, then load it.',
    itLoadsWithNext: 'It loads with the next page.',
    loadNow: 'Load now',
    figuresMayBeOut: 'Figures may be out of date. We’ll reconnect automatically.',
  },
  request: 'Request {id}',
} as const;

/** In milliseconds. `live`: panels. */
export const MESSAGE_MS = { usual: 2000, credit: 3000, live: 1500 } as const;

/** After sign-in, create and edit. */
export const LEAVE_AFTER_MS = 1000;
