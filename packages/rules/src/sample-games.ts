/** A game that the landing page shows: its title there, in the words of the specification, and the key of the game behind it. */
export interface SampleGame {
  readonly title: string;
  readonly gameId: string;
}

/** The six games of the landing page, in the order of the specification. */
export const SAMPLE_GAMES: readonly SampleGame[] = [
  { title: 'Lucky 12 Coupon', gameId: 'luckycard12' },
  { title: 'Lucky 16', gameId: 'luckycard16' },
  { title: 'Triple Chance', gameId: 'triplefun' },
  { title: 'Roulette', gameId: 'europeanroulette' },
  { title: 'DusKaDum', gameId: 'duskadum' },
  { title: 'Lucky 10 Coupon', gameId: 'lucky10fruit' },
];
