/**
 * The texts that people read, the spec's to the letter, its odd spellings too: they are what its users know.
 * Features may keep their own words beside their pages; what the spec words is here.
 */
export const messages = {
  product: 'Drawhouse',
  errors: {
    somethingWentWrong: 'Something went wrong',
    noResponse: 'An unexpected error occurred',
  },
} as const;
