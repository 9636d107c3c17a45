import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { weekSheet, type WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { Anchor, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { addPoints } from '../../lib/format/format.ts';
import { go, usePathname, useSearch } from '../../lib/navigation.ts';
import { withSearch } from '../../lib/paths.ts';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { HeadButton, PageHeader } from '../../ui/page/PageHeader.tsx';
import { SettleForm, useClosing } from './SettleForm.tsx';
import { chooseAll, creditAfter, newLine, previewOf, type SettleLine } from './settleLines.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { WeekSteps } from './WeekSteps.tsx';
import classes from './weeks.module.css';
import { settleTexts as texts } from './weeksTexts.ts';

export function SettlePage() {
  const path = usePathname();
  const { day: asked } = useSearch();
  const day = typeof asked === 'string' ? asked : undefined;
  const query = { ...(day !== undefined && { day }) };
  const { data, error } = useQuery({
    ...callQuery(['reports', 'settle', query], weekSheet.route, { query }),
    // Typed amounts stay beside their balances.
    refetchOnWindowFocus: false,
  });
  const hrefOf = (next: string | undefined) => withSearch(path, { settle: 'yes', day: next });
  const open = data?.data.filter(({ state }) => state !== 'closed');
  return (
    <>
      <PageHeader
        title={texts.title}
        action={
          <HeadButton
            name={texts.back}
            icon={IconArrowLeft}
            variant="default"
            onClick={() => go.back(withSearch(path, { day }))}
          />
        }
      >
        <WeekSteps week={data?.week} onDay={(next) => go.to(hrefOf(next))} />
      </PageHeader>
      <p className={classes.about}>{texts.about}</p>
      {error && <Text role="alert">{errorMessage(error)}</Text>}
      {data && data.week.to >= data.week.today && <Text>{texts.notOver}</Text>}
      {data && data.week.to < data.week.today && open?.length === 0 && <Text>{texts.none}</Text>}
      {data && open && open.length > 0 && data.week.to < data.week.today && (
        <Settlement key={linesKey(open)} rows={open} day={data.week.from} />
      )}
    </>
  );
}

/** Changes with the balances, so amounts are proposed anew. */
function linesKey(rows: readonly WeekSheetRow[]): string {
  return rows.map(({ id, balance, credit, state }) => `${id} ${balance} ${credit} ${state}`).join();
}

function Settlement({ rows, day }: { rows: readonly WeekSheetRow[]; day: string }) {
  const [lines, setLines] = useState(() => chooseAll(rows.map(newLine)));
  const change = useCallback(
    (id: string, what: Partial<SettleLine>) =>
      setLines((now) => now.map((line) => (line.row.id === id ? { ...line, ...what } : line))),
    [],
  );
  const free = lines.filter(({ row }) => row.state === 'open').length;
  const most = Math.min(free, BULK_MAX);
  const chosen = lines.filter(({ isChosen }) => isChosen);
  const { form, closing } = useClosing(day, chosen);
  const wanted = creditAfter(form.values.credit, form.values.refillTo);
  const confirmation = useRef<HTMLSelectElement>(null);
  const confirm = useCallback(() => confirmation.current?.focus(), []);
  return (
    <>
      <div className={classes.credit}>
        <NativeSelect label={texts.credit} data={texts.credits} {...form.getInputProps('credit')} />
        {form.values.credit === 'refill' && (
          <TextInput label={texts.refillTo} inputMode="decimal" {...form.getInputProps('refillTo')} />
        )}
      </div>
      <Checkbox
        label={texts.chooseAll}
        description={free > most ? texts.most(most) : undefined}
        checked={chosen.length === most}
        indeterminate={chosen.length > 0 && chosen.length < most}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          setLines((now) => (checked ? chooseAll(now) : now.map((line) => ({ ...line, isChosen: false }))));
        }}
      />
      <div className={classes.moves}>
        <Anchor component="button" type="button" size="sm" onClick={confirm}>
          {texts.confirm}
        </Anchor>
        <span className={classes.keys}>{texts.keys}</span>
      </div>
      <ul className={classes.lines} aria-label={texts.lines}>
        {lines.map((line) => (
          <Line key={line.row.id} line={line} day={day} wanted={wanted} onChange={change} onConfirm={confirm} />
        ))}
      </ul>
      <SettleForm
        first={confirmation}
        form={form}
        closing={closing}
        previews={chosen.map((line) => previewOf(line, wanted))}
      />
    </>
  );
}

/** Moves to the next amount, with Shift to the one before; with Ctrl or after the last, to the confirmation. */
function moveOnEnter(event: KeyboardEvent<HTMLInputElement>, onConfirm: () => void): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  const { currentTarget: amount, shiftKey } = event;
  const amounts = [...amount.closest('ul')!.querySelectorAll<HTMLInputElement>('input:not([type=checkbox]):enabled')];
  const next = amounts[amounts.indexOf(amount) + (shiftKey ? -1 : 1)];
  if (next && !event.ctrlKey && !event.metaKey) next.select();
  else if (!shiftKey) onConfirm();
}

interface LineProps {
  line: SettleLine;
  day: string;
  /** As {@link previewOf} takes it. */
  wanted: number | null | undefined;
  onChange: (id: string, what: Partial<SettleLine>) => void;
  onConfirm: () => void;
}

/** Typing in one of hundreds draws that one alone. */
const Line = memo(function Line({ line, day, wanted, onChange, onConfirm }: LineProps) {
  const { row, isChosen } = line;
  const { credit, due, amount, paid, left } = previewOf(line, wanted);
  const isDisputed = row.state === 'disputed';
  const path = usePathname();
  return (
    <li className={classes.line}>
      <Checkbox
        label={row.username}
        checked={isChosen}
        disabled={isDisputed}
        onChange={(event) => onChange(row.id, { isChosen: event.currentTarget.checked })}
      />
      <span className={classes.reason}>
        {isDisputed ? (
          <PathLink href={withSearch(path, { account: row.id, day })}>{texts.disputed}</PathLink>
        ) : (
          texts.reason(row, credit ?? 0)
        )}
      </span>
      <b className={classes.balance}>{texts.owes(due)}</b>
      <TextInput
        aria-label={texts.amountOf(row.username)}
        leftSection={null}
        placeholder={isChosen ? texts.paysNow(due) : ''}
        // An account that stays open pays nothing here.
        value={isChosen ? amount : ''}
        disabled={!isChosen}
        inputMode="decimal"
        error={isChosen && paid === null ? texts.wrongAmount : undefined}
        onKeyDown={(event) => moveOnEnter(event, onConfirm)}
        onChange={(event) => onChange(row.id, { amount: event.currentTarget.value })}
      />
      <span className={classes.left}>
        {isChosen && paid !== null && texts.left(left)}
        {isChosen && credit !== null && <span>{texts.creditOf(row.credit, addPoints(row.credit, credit))}</span>}
      </span>
    </li>
  );
});
