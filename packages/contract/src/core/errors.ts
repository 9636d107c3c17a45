export const SESSION_REPLACED_MESSAGE =
  'You signed in elsewhere too often, so this session, the oldest one, has ended. Please sign in again.';

/**
 * 404: outside the caller's subtree, or absent. 422: refused by a rule. 503: not ready (no change made), or outcome
 * unknown.
 */
export const ERRORS = {
  INVALID_INPUT: { status: 400, message: 'The request is not valid.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  NOT_SIGNED_IN: { status: 401, message: 'Please sign in.' },
  SESSION_REPLACED: {
    status: 401,
    message: SESSION_REPLACED_MESSAGE,
  },
  SESSION_ENDED: { status: 401, message: 'Your session has ended. Please sign in again.' },
  API_KEY_ENDED: { status: 401, message: 'There is no such API key, or it has ended.' },
  WRONG_CREDENTIALS: { status: 401, message: 'Username or password is wrong.' },
  SECOND_FACTOR: { status: 401, message: 'Sign-in needs your second factor.' },
  CHALLENGE_ENDED: { status: 401, message: 'This took too long. Please start again.' },
  NOT_ALLOWED: { status: 403, message: 'You are not allowed to do this.' },
  NO_PERMISSION: { status: 403, message: 'Your login does not have this right. Ask the owner of the account for it.' },
  IDENTITY_MISMATCH: { status: 403, message: 'The request names a different account from the one signed in.' },
  WRONG_PASSWORD: { status: 403, message: 'The password is wrong.' },
  CONFIRM_PASSWORD: { status: 403, message: 'Please enter your password again to do this.' },
  CHANGE_PASSWORD: {
    status: 403,
    message: 'Somebody else set your password. Choose your own on your profile to continue.',
  },
  ADD_FACTOR: {
    status: 403,
    message: 'Your role needs a second factor. Add one to continue.',
  },
  WRONG_FACTOR: { status: 403, message: 'This code is wrong, or was used before.' },
  CONFIRM_FACTOR: { status: 403, message: 'Please enter your second-factor code to do this.' },
  ACCOUNT_INACTIVE: { status: 403, message: 'This account is not active. Please contact your account manager.' },
  EXCLUDED: { status: 403, message: 'This account is excluded.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  NOT_PLACED: { status: 404, message: 'No ticket was placed for this request.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive. Please try again.' },
  USERNAME_TAKEN: { status: 409, message: 'This username is taken.' },
  IDEMPOTENCY_CONFLICT: { status: 409, message: 'This key was already used for a different request.' },
  HAS_CHILDREN: { status: 409, message: 'This account still has accounts below it.' },
  HAS_OPEN_TICKETS: { status: 409, message: 'This account has tickets that have not been drawn yet.' },
  GAME_IN_USE: { status: 409, message: 'This game has draws, so this can no longer be changed.' },
  TIME_TAKEN: { status: 409, message: 'A time of this length already exists.' },
  CLOSED_WITH_TICKETS: { status: 409, message: 'Tickets are sold for draws of these days or hours.' },
  SCHEDULE_TAKEN: { status: 409, message: 'A schedule of this name already exists.' },
  SCHEDULE_IN_USE: { status: 409, message: 'Games use this schedule. Take them out first.' },
  TIME_IN_USE: { status: 409, message: 'Games use this time. Give them another time first.' },
  ALREADY_CLAIMED: { status: 409, message: 'The win of this ticket has already been claimed.' },
  ALREADY_REVERSED: { status: 409, message: 'This transfer has already been reversed.' },
  ALREADY_DECIDED: { status: 409, message: 'This request has already been decided.' },
  WORK_UNDER_WAY: {
    status: 409,
    message: 'Another operation is running on this network. Please wait until it has finished.',
  },
  DRAW_STATE: { status: 409, message: 'The state of the draw does not allow this.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
  OTHER_CELL: {
    status: 421,
    message: 'This is in another cell. Open the common address of all cells; programs send the header X-Cell.',
  },
  INSUFFICIENT_CREDIT: { status: 422, message: 'Not enough credit.' },
  NOT_COVERED: { status: 422, message: "The admin's credit does not cover this result." },
  LIMIT_REACHED: { status: 422, message: 'This exceeds the limits of the game.' },
  BETTING_CLOSED: { status: 422, message: 'Betting on this draw is closed.' },
  GAME_UNAVAILABLE: { status: 422, message: 'This game is not available to you.' },
  DAILY_LIMIT: { status: 422, message: 'This exceeds the daily limit.' },
  API_KEY_LIMIT: { status: 422, message: 'This exceeds the daily stake limit of this API key.' },
  OWN_LIMIT: { status: 422, message: 'This exceeds the limits of this player.' },
  ON_BREAK: { status: 422, message: 'This player is on a break.' },
  SELLING_STOPPED: {
    status: 422,
    message: 'Your account manager takes no bets at the moment. Your bet was not placed.',
  },
  TARGET_INACTIVE: { status: 422, message: 'The receiving account is not active.' },
  COMMISSION_LIMIT: { status: 422, message: 'This commission exceeds the limits of the network.' },
  APPROVAL_PENDING: {
    status: 422,
    message: 'This needs the approval of a second person. Nothing was changed yet. The request is in Approvals.',
  },
  NETWORK_RESTORING: {
    status: 422,
    message: 'This network is being restored or moved. Nothing was changed. Please try again in a few minutes.',
  },
  REPORT_STOPPED: {
    status: 422,
    message: 'This took too long and was stopped. Ask for less, such as a shorter period.',
  },
  RULE_REFUSED: { status: 422, message: 'A rule does not allow this.' },
  TOO_MANY_SOCKETS: {
    status: 429,
    message: 'Too many live panels are open. This one resumes when you return to it.',
  },
  THROTTLED: { status: 429, message: 'Too many attempts. Please wait.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are too large.' },
  INTERNAL: { status: 500, message: 'Something went wrong' },
  NOT_READY: { status: 503, message: 'The server is not ready. Please try again in a moment.' },
  OUTCOME_UNKNOWN: {
    status: 503,
    message:
      'The server lost its database while confirming this, so it may have happened. Check before you send it again; ' +
      'the same Idempotency-Key or requestId acts only once.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Not in draws.ts: public pages do not load its schemas. */
export const NO_DRAW = 'No draw has this id. Check that you copied it completely.';
