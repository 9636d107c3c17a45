import { textOf } from '@drawhouse/rules/bet-text/lines-text';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { expand } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { FormEvent } from 'react';
import { betsText, pointsText } from '../../lib/amounts.ts';
import { useDraftText } from '../../lib/session/useDraftBackup.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/fields/Fields.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { useDeviceStorage } from '../../lib/useDeviceStorage.ts';
import { FAVOURITES, readFavourites, withFavourite, withoutFavourite } from './favourites.ts';
import { stakeOf } from '../slip/slipSums.ts';
import styles from './PlaySheets.module.css';
import { lazyTexts } from '../lazyTexts.ts';

const texts = lazyTexts.favorites;

interface FavouritesSheetProps {
  storageKey: string;
  rules: GameRules;
  unitPrice: number;
  lines: readonly SlipLine[];
  onLoad: (lines: readonly SlipLine[]) => void;
  onClose: () => void;
}

/** Loads saved tickets without placing them. */
export function FavouritesSheet({ storageKey, rules, unitPrice, lines, onLoad, onClose }: FavouritesSheetProps) {
  const [stored, store] = useDeviceStorage(storageKey);
  const [name, setName] = useDraftText('favourite');
  const list = readFavourites(stored, rules);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || lines.length === 0) return;
    store(JSON.stringify(withFavourite(list, { name, text: textOf(lines, rules) })));
    setName('');
  };
  return (
    <Sheet title={texts.title} onClose={onClose}>
      {list.length === 0 && <p>{texts.none}</p>}
      <ul className={styles.favourites}>
        {list.map(({ name: each, text }) => {
          const bets = expand(text, rules, TICKET_LIMITS).lines;
          return (
            <li key={each}>
              <Button
                isWide
                onClick={() => {
                  onLoad(bets);
                  onClose();
                }}
              >
                <span className={styles.name}>{each}</span>
                <span className={styles.about}>
                  {betsText(bets.length)}, {pointsText(stakeOf(bets, unitPrice))}
                </span>
              </Button>
              <Button
                kind="quiet"
                aria-label={texts.deleteNamed(each)}
                onClick={() => store(JSON.stringify(withoutFavourite(list, each)))}
              >
                {texts.delete}
              </Button>
            </li>
          );
        })}
      </ul>
      {lines.length > 0 && (
        <form className={styles.save} onSubmit={save}>
          <Field
            label={texts.name}
            value={name}
            maxLength={FAVOURITES.nameLength}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" aria-disabled={name.trim() === ''}>
            {texts.save}
          </Button>
        </form>
      )}
    </Sheet>
  );
}
