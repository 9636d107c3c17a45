import type { GameRules } from '@drawhouse/rules/games/rules';
import { useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { betsToPick } from '../boards/boardCells.ts';
import type { PickFrom } from '../boards/boardCells.ts';
import { deviceRandom, quickPick } from './quickPick.ts';
import { costOf } from '../slip/slipSums.ts';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import styles from './PlaySheets.module.css';
import { lazyTexts } from '../lazyTexts.ts';

interface QuickPickSheetProps {
  rules: GameRules;
  from: PickFrom;
  units: number;
  unitPrice: number;
  onAdd: (text: string) => void;
  onClose: () => void;
}

const COUNTS = [1, 3, 5, 10];

export function QuickPickSheet({ rules, from, units, unitPrice, onAdd, onClose }: QuickPickSheetProps) {
  const [picked, setPicked] = useState(() => quickPick(rules, from, 1, deviceRandom()));
  const most = betsToPick(rules, from).length;
  const texts = picked.map(({ drawno, head, series }) =>
    [rules.family === 'jodi' ? series : null, rules.heads.length > 1 ? head : null, drawno].filter(Boolean).join(' '),
  );
  return (
    <Sheet
      title={lazyTexts.quickPick.title}
      onClose={onClose}
      actions={
        <Button
          kind="main"
          onClick={() => {
            onAdd(texts.map((text) => `${text}*${units}`).join('\n'));
            onClose();
          }}
        >
          {lazyTexts.quickPick.add(costOf(units * picked.length, unitPrice))}
        </Button>
      }
    >
      <p>{lazyTexts.quickPick.help}</p>
      <div className={styles.counts}>
        {COUNTS.filter((count) => count <= most).map((count) => (
          <Button key={count} onClick={() => setPicked(quickPick(rules, from, count, deviceRandom()))}>
            {count}
          </Button>
        ))}
      </div>
      <ul className={styles.picked} aria-live="polite" aria-label={lazyTexts.quickPick.picked}>
        {picked.map((bet) => (
          <li key={bet.key}>{sharedText(lineName(bet, rules))}</li>
        ))}
      </ul>
    </Sheet>
  );
}
