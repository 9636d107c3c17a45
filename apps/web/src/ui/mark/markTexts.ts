export const markTexts = {
  andMore: (names: string | number, count: string | number) => `${names} and ${count} more`,
};
