import type { LaidBet } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { betsText, pointsText } from '../../lib/amounts.ts';
import { useDraftText } from '../../lib/session/useDraftBackup.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Fields.tsx';
import { fetchExpand, useExpand } from '../slip/lazyExpand.ts';
import { stakeOf } from '../slip/slipSums.ts';
import { returnText } from '../boards/returnText.ts';
import type { PlayState } from '../playState.ts';
import { keypadText } from './keypadText.ts';
import type { KeypadChoice } from './keypadText.ts';
import styles from './Keypad.module.css';

interface KeypadProps {
  state: PlayState;
  rules: GameRules;
  choice: KeypadChoice;
  /** Default units: those of the selected chip. */
  usualUnits: number;
  onLay: (text: string) => void;
  onPaste: () => void;
}

/** Text besides digits, for touch input. */
const PARTS = [
  { label: 'perm', said: 'perm', text: 'perm ' },
  { label: '–', said: 'a dash', text: '-' },
  { label: ',', said: 'a comma', text: ', ' },
] as const;

const UNREAD: Pick<ReturnType<typeof keypadText>, 'lines' | 'problems'> = { lines: [], problems: [] };

const kindsOf = (lines: readonly { readonly head: string }[]): readonly string[] => [
  ...new Set(lines.map(({ head }) => head)),
];

/** Type numbers, Enter, units, Enter, repeat. Previews the bets. */
export function Keypad({ state, rules, choice, usualUnits, onLay, onPaste }: KeypadProps) {
  const [typed, setTyped] = useDraftText('numbers');
  const [often, setOften] = useState('');
  const what = useRef<HTMLInputElement>(null);
  const units = useRef<HTMLInputElement>(null);
  const qty = often === '' ? usualUnits : /^\d{1,7}$/.test(often.trim()) ? Number(often) : 0;
  const [expand, wantExpand] = useExpand();
  const { lines, problems } = expand ? keypadText(typed, Math.max(1, qty), choice, rules, expand) : UNREAD;
  const [problem] = problems;
  const isEmpty = typed.trim() === '';
  // Enter may precede the parser: bets are placed once it loads, or the text returns.
  const lay = () => {
    const comesBack = () => setTyped((now) => now || typed);
    setTyped('');
    what.current!.focus();
    fetchExpand().then((read) => {
      const { text, problems: wrong } = keypadText(typed, qty, choice, rules, read);
      if (wrong[0]) comesBack();
      else onLay(text);
    }, comesBack);
  };
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty || problem) return what.current!.focus();
    if (document.activeElement === what.current) {
      units.current!.focus();
      units.current!.select();
    } else if (qty >= 1) lay();
  };
  const put = (part: string) => {
    const { selectionStart, selectionEnd } = what.current!;
    setTyped(typed.slice(0, selectionStart ?? undefined) + part + typed.slice(selectionEnd ?? typed.length));
    what.current!.focus();
  };
  return (
    <form className={styles.keypad} onSubmit={goOn} aria-label="Bet by number" noValidate>
      <Field
        ref={what}
        className={styles.what}
        label="Numbers"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={wantExpand}
        inputMode="tel"
        enterKeyHint="next"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        error={isEmpty ? undefined : problem && `${problem.part}: ${problem.message}`}
      />
      <Field
        ref={units}
        className={styles.often}
        label="Units"
        value={often}
        placeholder={String(usualUnits)}
        onChange={(event) => setOften(event.target.value)}
        inputMode="numeric"
        enterKeyHint="done"
        autoComplete="off"
        error={qty < 1 ? 'Write a whole number from 1' : undefined}
      />
      <div className={styles.parts}>
        {PARTS.map(({ label, said, text: part }) => (
          <button key={label} type="button" aria-label={`Write ${said}`} onClick={() => put(part)}>
            {label}
          </button>
        ))}
        <button type="button" onClick={onPaste}>
          List
        </button>
        <Button type="submit" kind="main" aria-disabled={isEmpty || problem !== undefined || qty < 1}>
          Add
        </Button>
      </div>
      <p className={styles.said} aria-live="polite">
        {!isEmpty && <Typed lines={lines} state={state} rules={rules} />}
      </p>
    </form>
  );
}

function Typed({ lines, state, rules }: Pick<KeypadProps, 'state' | 'rules'> & { lines: readonly LaidBet[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      {betsText(lines.length)}, {pointsText(stakeOf(lines, state.unitPrice))} points
      {kindsOf(lines).map((head) => (
        <span key={head} className={styles.returns}>
          {rules.heads.find(({ name }) => name === head)?.label} {returnText(rules, head)}
        </span>
      ))}
    </>
  );
}
