import type { LaidBet } from '@drawhouse/rules/expand';
import type { GameRules } from '@drawhouse/rules/rules';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { betsText, pointsText } from '../../lib/amounts.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { fetchExpand, useExpand } from '../slip/lateExpand.ts';
import type { Expand } from '../slip/lateExpand.ts';
import { stakeOf } from '../slip/slipSums.ts';
import { returnText } from '../boards/returnText.ts';
import type { PlayState } from '../playNews.ts';
import { keypadText } from './keypadText.ts';
import type { KeypadChoice } from './keypadText.ts';
import styles from './Keypad.module.css';

interface KeypadProps {
  state: PlayState;
  rules: GameRules;
  choice: KeypadChoice;
  /** How many units are laid where no other number is written: those of the chip in the hand. */
  usualUnits: number;
  onLay: (text: string) => void;
  /** Opens the sheet for a list. */
  onPaste: () => void;
}

/** What a number game may have in its text beside digits, to be put in by a touch. */
const PARTS = [
  { label: 'perm', said: 'perm', text: 'perm ' },
  { label: '–', said: 'a dash', text: '-' },
  { label: ',', said: 'a comma', text: ', ' },
] as const;

/** What was typed before there is what reads it. */
const UNREAD: ReturnType<typeof keypadText> = { text: '', lines: [], problems: [] };

/** The kinds of some bets, each once. */
const kindsOf = (lines: readonly { readonly head: string }[]): readonly string[] => [
  ...new Set(lines.map(({ head }) => head)),
];

/** Enter may come before what reads the numbers: `onceRead` acts as soon as that is there, unless what was typed is another by then. */
function useOnceRead() {
  const wanted = useRef(0);
  const forget = () => {
    wanted.current++;
  };
  const onceRead = (act: (read: Expand) => void) => {
    const want = ++wanted.current;
    fetchExpand().then(
      (read) => {
        if (want === wanted.current) act(read);
      },
      () => undefined,
    );
  };
  return { onceRead, forget };
}

/** Numbers by keyboard: what, Enter, how many units, Enter; and again. What it will lay is said before. */
export function Keypad({ state, rules, choice, usualUnits, onLay, onPaste }: KeypadProps) {
  const [typed, setTyped] = useState('');
  const [often, setOften] = useState('');
  const what = useRef<HTMLInputElement>(null);
  const units = useRef<HTMLInputElement>(null);
  const qty = often === '' ? usualUnits : /^\d{1,7}$/.test(often.trim()) ? Number(often) : 0;
  const [expand, wantExpand] = useExpand();
  const { lines, problems } = expand ? keypadText(typed, Math.max(1, qty), choice, rules, expand) : UNREAD;
  const [problem] = problems;
  const { onceRead, forget } = useOnceRead();
  const isEmpty = typed.trim() === '';
  const lay = (read: Expand) => {
    const now = keypadText(typed, qty, choice, rules, read);
    what.current!.focus();
    if (now.problems.length > 0) return;
    onLay(now.text);
    setTyped('');
  };
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty || problem) return what.current!.focus();
    if (document.activeElement === what.current) {
      units.current!.focus();
      units.current!.select();
      return;
    }
    if (qty < 1) return;
    if (expand) lay(expand);
    else onceRead(lay);
  };
  const put = (part: string) => {
    const { selectionStart, selectionEnd } = what.current!;
    forget();
    setTyped(typed.slice(0, selectionStart ?? undefined) + part + typed.slice(selectionEnd ?? typed.length));
    what.current!.focus();
  };
  return (
    <form className={styles.keypad} onSubmit={goOn} aria-label="Lay by numbers" noValidate>
      <Field
        ref={what}
        className={styles.what}
        label="Numbers"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          forget();
        }}
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
        onChange={(event) => {
          setOften(event.target.value);
          forget();
        }}
        inputMode="numeric"
        enterKeyHint="done"
        autoComplete="off"
        error={qty < 1 ? 'Write a whole number from 1' : undefined}
      />
      <Parts isReady={!isEmpty && problem === undefined && qty > 0} onPut={put} onPaste={onPaste} />
      <p className={styles.said} aria-live="polite">
        {!isEmpty && <Typed lines={lines} state={state} rules={rules} />}
      </p>
    </form>
  );
}

interface PartsProps {
  /** Whether what is typed can be laid. */
  isReady: boolean;
  onPut: (part: string) => void;
  onPaste: () => void;
}

/** What is touched rather than typed: parts of the text, a list, and what lays it. */
function Parts({ isReady, onPut, onPaste }: PartsProps) {
  return (
    <div className={styles.parts}>
      {PARTS.map(({ label, said, text }) => (
        <button key={label} type="button" aria-label={`Write ${said}`} onClick={() => onPut(text)}>
          {label}
        </button>
      ))}
      <button type="button" onClick={onPaste}>
        List
      </button>
      <Button type="submit" kind="main" aria-disabled={!isReady}>
        Lay
      </Button>
    </div>
  );
}

/** What was typed comes to, and what each kind of its bets pays and returns. */
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
