import { inLanguage } from '../lib/inLanguage.ts';

export const welcomeTexts = inLanguage('welcomeTexts', {
  title: (house: string) => `Welcome to ${house}`,
  tabTitle: 'Welcome',
  intro:
    'Cards, wheels, dice and numbers, drawn all day. Every result shows how it was drawn, and anyone can check it.',
  play: 'Play Now',
  fair: 'How draws are fair',
  games: 'Games',
  notOpen: 'Not open now',
  winners: 'Recent winners',
  noWinners: 'No winners to show. Only wins that have been paid are shown here.',
  fewWinners: 'No more winners to show. Only wins that have been paid are shown here.',
});
