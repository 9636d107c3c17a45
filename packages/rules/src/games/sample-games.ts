export interface SampleGame {
  readonly title: string;
  readonly gameId: string;
}

/** In the specification's order. */
export const SAMPLE_GAMES: readonly SampleGame[] = [
  { title: 'Lucky 12 Coupon', gameId: 'luckycard12' },
  { title: 'Lucky 16', gameId: 'luckycard16' },
  { title: 'Triple Chance', gameId: 'triplefun' },
  { title: 'Roulette', gameId: 'europeanroulette' },
  { title: 'DusKaDum', gameId: 'duskadum' },
  { title: 'Lucky 10 Coupon', gameId: 'lucky10fruit' },
];
