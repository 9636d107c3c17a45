export const HOUSE_TEXTS = {
  changed: 'Changes saved. Open pages show them once they are reloaded.',
  subject: 'Changed how the house presents itself',
  followed: (cell: string): string => `Took over from ${cell} how the house presents itself`,
} as const;
