export const onlinePlayersTexts = {
  onlinePlayers: 'Online Players',
  all: 'All',
  noPlayersYet: 'No players yet',
  everyPlayerBelowYou: 'Every player below you is listed here with today’s play.',
  noOneIsOnline: 'No one is online',
  playersAreListedFrom: 'Players are listed from sign-in until 2 minutes after they leave.',
  showAllPlayers: 'Show all players',
};
