export const imageTexts = {
  hint: 'JPEG, PNG or WebP, at most 2 MB and 4,000 × 4,000 pixels each.',
  chooseAnother: (name: string | number) => `${name}: choose another`,
  removeNamed: (name: string | number) => `${name}: remove`,
  remove: 'Remove',
  wrongType: 'Choose a JPEG, PNG or WebP image',
  tooManyBytes: 'An image may have at most 2 MB',
  tooManyPixels: (width: string | number, height: string | number) =>
    `At most 4,000 × 4,000 pixels: this one has ${width} × ${height}`,
  damaged: 'This image can’t be read',
} as const;
