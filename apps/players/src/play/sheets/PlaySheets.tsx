import type { ShortDraw } from '@drawhouse/contract/draws/draws';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useWallet } from '../../lib/betting/wallet.ts';
import type { KeypadChoice } from '../keypad/keypadText.ts';
import { ListSheet } from './ListSheet.tsx';
import type { PlayState } from '../playState.ts';
import type { PlaySettings } from '../../lib/playSettings.ts';
import { AheadSheet } from './AheadSheet.tsx';
import { FavoritesSheet } from './FavoritesSheet.tsx';
import { QuickPickSheet } from './QuickPickSheet.tsx';
import { stakeOf } from '../slip/slipSums.ts';
import { SettingsSheet } from '../../ui/sheets/SettingsSheet.tsx';
import type { SlipEditor } from '../useSlip.ts';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { lazyTexts } from '../lazyTexts.ts';

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
