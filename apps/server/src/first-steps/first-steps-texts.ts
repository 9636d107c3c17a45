export const FIRST_STEPS_TEXTS = {
  creditApart: 'This much credit needs an approval. Enter less, then transfer the rest.',
  started: 'Simulated players started.',
  stopped: 'Simulated players stopped.',
  notYourAdmin: 'Choose one of your admins',
  onlyTests: 'Simulated players bet only in networks marked as a test',
  subject: (verb: string, username: string): string => `${verb} simulated players in the test network ${username}`,
  nameTwice: 'Use each name once',
  chainCreated: 'Chain created.',
} as const;
