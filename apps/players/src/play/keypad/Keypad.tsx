import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useRef, useState, type FormEvent } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { useDraftText } from '../../lib/session/useDraftBackup.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/fields/Fields.tsx';
import { useLazyModule } from '../../lib/useLazyModule.ts';
import { fetchExpand, useExpand } from '../slip/lazyExpand.ts';
import { stakeOf } from '../slip/slipSums.ts';
import { playTexts, returnText } from '../playTexts.ts';
import type { PlayState } from '../playState.ts';
import { keypadText, type KeypadChoice } from './keypadText.ts';
import styles from './Keypad.module.css';

const texts = playTexts.keypad;

interface KeypadProps {
  state: PlayState;
  rules: GameRules;
  choice: KeypadChoice;
  defaultUnits: number;
  onAdd: (text: string) => void;
  onPaste: () => void;
}

/** Phones show a keypad of digits only. */
const SIGNS = [
  { label: ',', name: texts.comma, text: ', ' },
  { label: '–', name: texts.dash, text: '-' },
  { label: '*', name: texts.times, text: '*' },
  { label: '=', name: texts.equals, text: '=' },
] as const;

const WORDS: Partial<Record<GameRules['family'], readonly string[]>> = {
  triple: ['perm'],
  lottery3d: ['box', 'fp', 'bp', 'sp', 'ap', 'perm'],
  lottery4d: ['sub', 'perm'],
  jodi: ['K50', 'K60', 'K70', 'andhar', 'bahar', 'perm'],
};

const fetchWords = async () => {
  const [{ typedHelp }, line] = await Promise.all([
    import('@drawhouse/rules/bet-text/expand'),
    import('@drawhouse/rules/bet-text/line-name'),
  ]);
  return { help: typedHelp, nameOf: line.lineName };
};

const UNREAD: Pick<ReturnType<typeof keypadText>, 'lines' | 'problems'> = { lines: [], problems: [] };

const MOST_NAMES = 2;

const kindsOf = (lines: readonly { readonly head: string }[]): readonly string[] => [
  ...new Set(lines.map(({ head }) => head)),
];

/** Type numbers, Enter, units, Enter, repeat. */
export function Keypad({ state, rules, choice, defaultUnits, onAdd, onPaste }: KeypadProps) {
  const [typed, setTyped] = useDraftText('numbers');
  const [unitsText, setUnitsText] = useState('');
  const numbers = useRef<HTMLInputElement>(null);
  const units = useRef<HTMLInputElement>(null);
  const qty = unitsText === '' ? defaultUnits : /^\d{1,7}$/.test(unitsText.trim()) ? Number(unitsText) : 0;
  const [expand, wantExpand, isUsed] = useExpand();
  const words = useLazyModule(isUsed, fetchWords);
  const { lines, problems } = expand ? keypadText(typed, Math.max(1, qty), choice, rules, expand) : UNREAD;
  const [problem] = problems;
  const isEmpty = typed.trim() === '';
  // Enter may come before the parser has loaded. If it fails, the text is restored.
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
        error={isEmpty ? undefined : problem && `${problem.part}: ${sharedText(problem.message)}`}
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
      <Keys family={rules.family} onPut={put} />
      <div className={styles.parts}>
        <button type="button" onClick={onPaste}>
          {texts.list}
        </button>
        <Button type="submit" kind="main" aria-disabled={isEmpty || problem !== undefined || qty < 1}>
          {texts.add}
        </Button>
      </div>
      <Summary isEmpty={isEmpty} lines={lines} words={words} state={state} rules={rules} />
    </form>
  );
}

function Keys({ family, onPut }: { family: GameRules['family']; onPut: (text: string) => void }) {
  const words = WORDS[family] ?? [];
  return (
    <div className={styles.keys}>
      {[...SIGNS, ...words.map((word) => ({ label: word, name: word, text: `${word} ` }))].map(
        ({ label, name, text }) => (
          <button key={label} type="button" aria-label={texts.write(name)} onClick={() => onPut(text)}>
            {label}
          </button>
        ),
      )}
    </div>
  );
}

interface SummaryProps extends Pick<KeypadProps, 'state' | 'rules'> {
  readonly isEmpty: boolean;
  readonly lines: readonly SlipLine[];
  readonly words: Awaited<ReturnType<typeof fetchWords>> | null;
}

function Summary({ isEmpty, lines, words, state, rules }: SummaryProps) {
  return (
    <p className={styles.said} aria-live="polite">
      {isEmpty && words && sharedText(words.help(rules))}
      {words && lines.length > 0 && lines.length <= MOST_NAMES && (
        <strong className={styles.names}>
          {lines.map((line) => sharedText(words.nameOf(line, rules))).join(', ')}
        </strong>
      )}
      {lines.length > 0 && playTexts.sum(lines.length, stakeOf(lines, state.unitPrice))}
      {kindsOf(lines).map((head) => (
        <span key={head} className={styles.returns}>
          {sharedText(rules.heads.find(({ name }) => name === head)!.label)} {returnText(rules, head)}
        </span>
      ))}
    </p>
  );
}
