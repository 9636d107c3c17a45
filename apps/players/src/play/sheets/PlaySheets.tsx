import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useState } from 'react';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import { useWallet } from '../../lib/betting/wallet.ts';
import type { KeypadChoice } from '../keypad/keypadText.ts';
import type { PlayState } from '../playState.ts';
import type { PlaySettings } from '../../lib/playSettings.ts';
import { stakeOf, costOf } from '../slip/slipSums.ts';
import { SettingsSheet } from '../../ui/sheets/SettingsSheet.tsx';
import type { SlipEditor } from '../useSlip.ts';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { lazyTexts } from '../lazyTexts.ts';
import { sharedText } from '../../lib/inLanguage.ts';
import { betsToPick, type PickFrom } from '../boards/boardCells.ts';
import { ListSheet } from './ListSheet.tsx';
import { AheadSheet } from './AheadSheet.tsx';
import { FavoritesSheet } from './FavoritesSheet.tsx';
import { deviceRandom, quickPick } from './quickPick.ts';
import styles from './PlaySheets.module.css';

export type OpenSheet = 'list' | 'pick' | 'favorites' | 'ahead' | 'settings' | { readonly asks: ShortDraw } | null;

interface PlaySheetsProps {
  open: OpenSheet;
  state: PlayState;
  rules: GameRules;
  editor: SlipEditor;
  scope: KeypadChoice;
  units: number;
  settings: PlaySettings;
  onSettings: (settings: PlaySettings) => void;
  onPlace: (draw: ShortDraw) => void;
  onClose: () => void;
}

export function PlaySheets(props: PlaySheetsProps) {
  const { open, state, rules, editor, scope, units, settings, onSettings, onPlace, onClose } = props;
  const walletBalance = useWallet()?.walletBalance ?? null;
  const { unitPrice } = state;
  const { lines } = editor.slip;
  if (open === null) return null;
  if (typeof open === 'object')
    return (
      <AskSheet
        stake={stakeOf(lines, unitPrice)}
        bets={lines.length}
        drawsAt={open.asks.drawsAt}
        walletBalance={walletBalance}
        onPlace={() => {
          onPlace(open.asks);
          onClose();
        }}
        onClose={onClose}
      />
    );
  switch (open) {
    case 'list':
      return <ListSheet rules={rules} unitPrice={unitPrice} onAdd={editor.addBets} onClose={onClose} />;
    case 'pick': {
      const { head, series, subseries } = scope;
      const from = { head, series: series || undefined, subseries: subseries || undefined };
      return (
        <QuickPickSheet
          rules={rules}
          from={from}
          units={units}
          unitPrice={unitPrice}
          onAdd={editor.addBets}
          onClose={onClose}
        />
      );
    }
    case 'favorites':
      return (
        <FavoritesSheet
          gameId={state.gameId}
          rules={rules}
          unitPrice={unitPrice}
          lines={lines}
          onLoad={editor.load}
          onClose={onClose}
        />
      );
    case 'ahead':
      return <AheadSheet gameId={state.gameId} unitPrice={unitPrice} editor={editor} onClose={onClose} />;
    case 'settings':
      return <SettingsSheet settings={settings} onSave={onSettings} onClose={onClose} />;
  }
}

const texts = lazyTexts.confirm;

interface AskSheetProps {
  stake: number;
  bets: number;
  drawsAt: string;
  walletBalance: number | null;
  onPlace: () => void;
  onClose: () => void;
}

function AskSheet({ stake, bets, drawsAt, walletBalance, onPlace, onClose }: AskSheetProps) {
  return (
    <Sheet
      title={texts.title(stake)}
      onClose={onClose}
      actions={
        <>
          <Button kind="main" onClick={onPlace}>
            {texts.place}
          </Button>
          <Button onClick={onClose}>{texts.back}</Button>
        </>
      }
    >
      <p>{walletBalance === null ? texts.about(bets, drawsAt) : texts.aboutWithWallet(bets, drawsAt, walletBalance)}</p>
      <p>{texts.why}</p>
    </Sheet>
  );
}

interface QuickPickSheetProps {
  rules: GameRules;
  from: PickFrom;
  units: number;
  unitPrice: number;
  onAdd: (text: string) => void;
  onClose: () => void;
}

const COUNTS = [1, 3, 5, 10];

function QuickPickSheet({ rules, from, units, unitPrice, onAdd, onClose }: QuickPickSheetProps) {
  const [picked, setPicked] = useState(() => quickPick(rules, from, 1, deviceRandom()));
  const most = betsToPick(rules, from).length;
  const bets = picked.map(({ drawno, head, series }) =>
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
            onAdd(bets.map((text) => `${text}*${units}`).join('\n'));
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
