import { keyTexts } from '../shell/shellTexts.ts';
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
      { keys: PALETTE_KEYS, together: true, does: keyTexts.findAnything },
      { keys: ['/'], single: true, does: keyTexts.findAnythingOutsideFields },
      { keys: [PALETTE_KEYS[0]!, 'P'], together: true, does: keyTexts.printPageListsWith },
      { keys: ['?'], single: true, does: keyTexts.showShortcuts },
      { keys: ['Esc'], does: keyTexts.closeWhatIsOpen },
    ],
  },
  {
    name: keyTexts.inList,
    lines: [
      { keys: ['F'], single: true, does: keyTexts.searchList },
      { keys: ['J'], single: true, does: keyTexts.nextRowStartingWith },
      { keys: ['K'], single: true, does: keyTexts.previousRow },
      { keys: ['↓', '↑'], does: keyTexts.moveBetweenRowsFrom },
      { keys: ['Enter'], does: keyTexts.openRow },
      { keys: ['X'], single: true, does: keyTexts.selectRow },
      { keys: ['B'], single: true, does: keyTexts.actOnSelected },
    ],
  },
  {
    name: keyTexts.onLivePanel,
    lines: [
      { keys: ['0–9'], single: true, does: keyTexts.chooseOutcomeWithThat },
      { keys: ['S'], single: true, does: keyTexts.saveChosenResult },
      { keys: ['G'], single: true, does: keyTexts.generateResult },
      { keys: ['V'], single: true, does: keyTexts.voidDraw },
      { keys: ['W'], single: true, does: keyTexts.showOrLeaveWall },
    ],
  },
];
