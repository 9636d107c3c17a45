export const PLAYER_TEXTS = {
  tooManyFavorites: (most: number): string => `You have ${most} favorites of this game. Delete one first.`,
  favoriteGone: 'This favorite no longer exists.',
  winnersShown: 'The landing page can now show winners of your network.',
  winnersHidden: 'The landing page no longer shows winners of your network.',
  wallCreated: 'Public wall link created.',
  wallWithdrawn: 'Public wall link withdrawn.',
  wallGone: 'This wall no longer exists. Ask for a new link.',
} as const;

export const PLAYER_SUBJECTS = {
  favoriteSaved: (name: string, game: string): string => `Saved favorite bets ${name} of ${game}`,
  favoriteDeleted: (name: string): string => `Deleted favorite bets ${name}`,
  winners: (verb: string, username: string): string => `${verb} the winners of ${username} on the landing page`,
  wallCreated: (username: string): string => `Created a link to the public wall of ${username}`,
  wallWithdrawn: (username: string): string => `Withdrew the link to the public wall of ${username}`,
} as const;
