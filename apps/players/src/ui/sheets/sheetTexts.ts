import { inLanguage } from '../../lib/inLanguage.ts';

export const sheetTexts = inLanguage('sheetTexts', {
  theme: { label: 'Appearance', light: 'Light', dark: 'Dark' },
  settings: {
    title: 'Board settings',
    confirm: 'Confirm large tickets',
    above: 'Above this many points',
    wrongPoints: 'Write points with at most 2 decimals, such as 500',
    remind: 'Time reminder every',
    minutes: (minutes: number) => `${minutes} min`,
    save: 'Save',
  },
});
