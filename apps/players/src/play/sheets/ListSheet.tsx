import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { expand } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useId } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { useDraftText } from '../../lib/session/useDraftBackup.ts';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { stakeOf } from '../slip/slipSums.ts';
import styles from './PlaySheets.module.css';
import { typedBets } from '../gameTexts.ts';
import { playTexts } from '../playTexts.ts';
import { lazyTexts } from '../lazyTexts.ts';

interface ListSheetProps {
  rules: GameRules;
  unitPrice: number;
  onAdd: (text: string) => void;
  onClose: () => void;
}

const texts = lazyTexts.list;
const MOST_SAID = 5;

export function ListSheet({ rules, unitPrice, onAdd, onClose }: ListSheetProps) {
  const id = useId();
  const [text, setText] = useDraftText('list');
  const { lines, problems } = expand(text, rules, TICKET_LIMITS);
  return (
    <Sheet
      title={texts.title}
      onClose={onClose}
      actions={
        <Button
          kind="main"
          aria-disabled={lines.length === 0}
          onClick={() => {
            onAdd(text);
            onClose();
          }}
        >
          {texts.add(lines.length)}
        </Button>
      }
    >
      <label htmlFor={id}>{texts.label}</label>
      <dl className={styles.examples}>
        {typedBets(rules).map(({ text: typed, means }) => (
          <div key={typed}>
            <dt>
              <code>{typed}</code>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
      <textarea
        id={id}
        className={styles.text}
        rows={8}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-invalid={problems.length > 0 || undefined}
        aria-describedby={`${id}-said`}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
      />
      <div id={`${id}-said`} aria-live="polite" className={styles.said}>
        {problems.length > 0 && (
          <ul>
            {problems.slice(0, MOST_SAID).map(({ at, part, message }) => (
              <li key={at}>
                <strong>{part}</strong> {sharedText(message)}
              </li>
            ))}
            {problems.length > MOST_SAID && <li>{texts.moreProblems}</li>}
          </ul>
        )}
        {lines.length > 0 && <p>{playTexts.sum(lines.length, stakeOf(lines, unitPrice))}</p>}
      </div>
    </Sheet>
  );
}
