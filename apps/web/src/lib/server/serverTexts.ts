export const serverTexts = {
  isSaved: (fileName: string | number) => `${fileName} is saved.`,
};
