import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useDraftText } from '../../lib/session/useDraftBackup.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/fields/Fields.tsx';
import { fetchExpand, useExpand } from '../slip/lazyExpand.ts';
import { stakeOf } from '../slip/slipSums.ts';
import { playTexts, returnText } from '../playTexts.ts';
import type { PlayState } from '../playState.ts';
import { keypadText } from './keypadText.ts';
import type { KeypadChoice } from './keypadText.ts';
import styles from './Keypad.module.css';

const texts = playTexts.keypad;

interface KeypadProps {
  state: PlayState;
  rules: GameRules;
  choice: KeypadChoice;
  /** Default units: those of the selected chip. */
  defaultUnits: number;
  onAdd: (text: string) => void;
  onPaste: () => void;
}

/** Text besides digits, for touch input. */
const SHORTCUTS = [
  { label: 'perm', name: texts.perm, text: 'perm ' },
  { label: '–', name: texts.dash, text: '-' },
  { label: ',', name: texts.comma, text: ', ' },
] as const;

const UNREAD: Pick<ReturnType<typeof keypadText>, 'lines' | 'problems'> = { lines: [], problems: [] };

const kindsOf = (lines: readonly { readonly head: string }[]): readonly string[] => [
  ...new Set(lines.map(({ head }) => head)),
];

/** Type numbers, Enter, units, Enter, repeat. Previews the bets. */
export function Keypad({ state, rules, choice, defaultUnits, onAdd, onPaste }: KeypadProps) {
  const [typed, setTyped] = useDraftText('numbers');
  const [unitsText, setUnitsText] = useState('');
  const numbers = useRef<HTMLInputElement>(null);
  const units = useRef<HTMLInputElement>(null);
  const qty = unitsText === '' ? defaultUnits : /^\d{1,7}$/.test(unitsText.trim()) ? Number(unitsText) : 0;
  const [expand, wantExpand] = useExpand();
  const { lines, problems } = expand ? keypadText(typed, Math.max(1, qty), choice, rules, expand) : UNREAD;
  const [problem] = problems;
  const isEmpty = typed.trim() === '';
  // Enter may precede the parser: bets are placed once it loads, or the text returns.
  const addBets = () => {
    const restore = () => setTyped((now) => now || typed);
    setTyped('');
    numbers.current!.focus();
    fetchExpand().then((read) => {
      const { text, problems: wrong } = keypadText(typed, qty, choice, rules, read);
      if (wrong[0]) restore();
      else onAdd(text);
    }, restore);
  };
  const advance = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty || problem) return numbers.current!.focus();
    if (document.activeElement === numbers.current) {
      units.current!.focus();
      units.current!.select();
    } else if (qty >= 1) addBets();
  };
  const put = (part: string) => {
    const { selectionStart, selectionEnd } = numbers.current!;
    setTyped(typed.slice(0, selectionStart ?? undefined) + part + typed.slice(selectionEnd ?? typed.length));
    numbers.current!.focus();
  };
  return (
    <form className={styles.keypad} onSubmit={advance} aria-label={texts.label} noValidate>
      <Field
        ref={numbers}
        className={styles.numbers}
        label={texts.numbers}
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
        className={styles.unitsText}
        label={texts.units}
        value={unitsText}
        placeholder={String(defaultUnits)}
        onChange={(event) => setUnitsText(event.target.value)}
        inputMode="numeric"
        enterKeyHint="done"
        autoComplete="off"
        error={qty < 1 ? texts.wrongUnits : undefined}
      />
      <div className={styles.parts}>
        {SHORTCUTS.map(({ label, name, text: part }) => (
          <button key={label} type="button" aria-label={texts.write(name)} onClick={() => put(part)}>
            {label}
          </button>
        ))}
        <button type="button" onClick={onPaste}>
          {texts.list}
        </button>
        <Button type="submit" kind="main" aria-disabled={isEmpty || problem !== undefined || qty < 1}>
          {texts.add}
        </Button>
      </div>
      <p className={styles.said} aria-live="polite">
        {!isEmpty && <TypedBets lines={lines} state={state} rules={rules} />}
      </p>
    </form>
  );
}

function TypedBets({ lines, state, rules }: Pick<KeypadProps, 'state' | 'rules'> & { lines: readonly SlipLine[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      {playTexts.sum(lines.length, stakeOf(lines, state.unitPrice))}
      {kindsOf(lines).map((head) => (
        <span key={head} className={styles.returns}>
          {rules.heads.find(({ name }) => name === head)?.label} {returnText(rules, head)}
        </span>
      ))}
    </>
  );
}
