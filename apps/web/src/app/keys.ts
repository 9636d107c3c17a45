interface KeyLine {
  keys: readonly string[];
  together?: boolean;
  single?: boolean;
  does: string;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export const PALETTE_KEYS: readonly string[] = [isApple ? '⌘' : 'Ctrl', 'K'];

export const KEY_GROUPS: readonly { name: string; lines: readonly KeyLine[] }[] = [
  {
    name: 'Everywhere',
    lines: [
      { keys: PALETTE_KEYS, together: true, does: 'Find anything' },
      { keys: ['/'], single: true, does: 'Find anything' },
      { keys: [PALETTE_KEYS[0]!, 'P'], together: true, does: 'Print the page, lists with all rows' },
      { keys: ['?'], single: true, does: 'Show shortcuts' },
      { keys: ['Esc'], does: 'Close what is open, or leave the field' },
    ],
  },
  {
    name: 'In a list',
    lines: [
      { keys: ['F'], single: true, does: 'Search the list' },
      { keys: ['J'], single: true, does: 'Next row, starting with the first' },
      { keys: ['K'], single: true, does: 'Previous row' },
      { keys: ['↓', '↑'], does: 'Move between rows, from within a row' },
      { keys: ['Enter'], does: 'Open the row' },
    ],
  },
  {
    name: 'On a live panel',
    lines: [
      { keys: ['0–9'], single: true, does: 'Choose the outcome with that number' },
      { keys: ['S'], single: true, does: 'Save the chosen result' },
      { keys: ['W'], single: true, does: 'Show or leave the wall screen' },
    ],
  },
];
