export const wallTexts = {
  seconds: (each: string | number) => `${each} seconds`,
};
