/** Answers of live panels and sockets. */
export const LIVE_TEXTS = {
  notJodi: (game: string): string => `${game} is not a jodi game. Its panel is at live/loadgame.`,
  noSettledDraw: 'No settled draw of this game has this id.',
  tooManyPanels: 'Too many panels opened. Please wait a second.',
  trueOrFalse: 'Send true or false',
  tooManyGames: 'Too many games opened. Please wait a second.',
  gameMissing: 'Game is required',
  gameList: 'Send a list of game keys',
  manyGames: (most: number): string => `Watch at most ${most} at a time`,
  reopens: 'This panel reopens in a moment.',
  keysOnlyBet: 'An API key can only place bets. Please sign in for everything else.',
  noAcknowledgement: 'Request an acknowledgement. Bets without one are refused.',
  tooManyConnections: 'Too many connections. Please wait a second.',
  foreignPage: 'Connections from pages of other sites are refused.',
  tooManyRequests: 'Too many requests. Please wait a moment.',
  severalHosts: 'Send one Host header.',
} as const;
