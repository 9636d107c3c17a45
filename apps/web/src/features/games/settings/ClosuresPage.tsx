import { listClosures, setClosures, closureFields, type GameClosures } from '@drawhouse/contract/games/schedules';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import type { Closures } from '@drawhouse/rules/time/clock-slots';
import { comingDraws } from '@drawhouse/rules/time/schedule';
import { call } from '../../../lib/server/api.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { momentIn } from '../times/ScheduleFields.tsx';
import { intervalText } from '../times/timeForm.ts';
import { closureTexts as texts, gameTexts, closureTexts } from '../gameTexts.ts';
import { readClock, readWords } from '../times/scheduleForm.ts';
import { AdminFilter, ChosenAdminPage, NoGames, type AdminFormProps } from './ChosenAdmin.tsx';
import cells from './percentages/percentageCells.module.css';
import { cellName, type CellTexts } from './rowForm.ts';
import { CellInput, EditableTable, useCells } from './EditableTable.tsx';
import { useRowForm } from './useRowForm.ts';

type ClosureField = 'daysText' | 'hoursText';

/** `daysText` and `hoursText` as typed. */
type ClosureRow = GameClosures & { readonly [F in ClosureField]: string };

function closureRow(game: GameClosures): ClosureRow {
  return {
    ...game,
    daysText: game.days.join(', '),
    hoursText: game.hours.map(({ from, to }) => `${from}-${to}`).join(', '),
  };
}

function readHours(text: string): { from: string; to: string }[] {
  return text
    .replaceAll(/\s*(?:-|–|to)\s*/g, '-')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const [from = '', to = '', ...more] = word.split('-');
      return { from: readClock(from), to: more.length > 0 ? '' : readClock(to) };
    });
}

function readClosures(daysText: string, hoursText: string): Closures | undefined {
  const days = closureFields.days.safeParse(readWords(daysText));
  const hours = closureFields.hours.safeParse(readHours(hoursText));
  return days.success && hours.success ? { days: days.data, hours: hours.data } : undefined;
}

function closureProblem(text: string, _row: ClosureRow, field: ClosureField): string | null {
  if (field === 'daysText') return readClosures(text, '') ? null : closureTexts.wrongDays;
  return readClosures('', text) ? null : closureTexts.wrongHours;
}

function typedClosures(row: ClosureRow, typed: CellTexts): Closures | undefined {
  const text = (field: ClosureField): string => typed[cellName(row.id, field)] ?? '';
  return readClosures(text('daysText'), text('hoursText'));
}

function closureUpdates(
  changed: readonly ClosureRow[],
  typed: CellTexts,
): { id: string; days: string[]; hours: { from: string; to: string }[] }[] {
  return changed.map((row) => {
    const { days, hours } = typedClosures(row, typed) ?? row;
    return { id: row.id, days: [...days], hours: [...hours] };
  });
}

const SHOWN = 3;

function nextDraws(row: ClosureRow, typed: CellTexts, timeZone: string, now: Date): Date[] | null {
  const closures = typedClosures(row, typed);
  if (!closures) return null;
  const cadence = { seconds: row.seconds, schedule: row.schedule, closures, timeZone };
  return comingDraws(now, cadence, null, SHOWN).map(({ drawsAt }) => drawsAt);
}

const FIELDS = ['daysText', 'hoursText'] as const satisfies readonly ClosureField[];

export function ClosuresPage() {
  return <ChosenAdminPage title={texts.title} name="closures" route={listClosures} Form={ClosuresForm} />;
}

function ClosuresForm({ admin, admins, queryKey, answer }: AdminFormProps<typeof listClosures>) {
  const { timeZone } = useUser();
  const rows = useMemo(() => answer.data.map(closureRow), [answer.data]);
  const rowForm = useRowForm<ClosureField, ClosureRow, RouteAnswer<typeof setClosures>>({
    rows,
    fields: FIELDS,
    queryKey,
    check: closureProblem,
    send: (changed, typed) =>
      call(setClosures, { params: { adminId: admin.id }, body: { updates: closureUpdates(changed, typed) } }),
    onDone: () => notifications.show({ message: texts.saved(admin.username) }),
    onUnchanged: () => notifications.show({ message: texts.unchanged }),
  });
  return (
    <EditableTable
      title={texts.title}
      rows={rows}
      columns={COLUMNS}
      rowForm={rowForm}
      rowLabel={(row) => row.gameName}
      save={texts.save}
      filters={<AdminFilter admin={admin} admins={admins} unsaved={rowForm.call.unsaved} />}
      notice={
        <Text size="sm" c="dimmed">
          {texts.notice(timeZone)}
        </Text>
      }
      empty={<NoGames />}
    />
  );
}

const COLUMNS: readonly DataColumn<ClosureRow>[] = [
  { id: 'gameName', header: 'Game', accessor: (row) => row.gameName, width: 180, sortable: true, priority: true },
  { id: 'all', header: texts.closed, phoneOnly: true, cell: (row) => <Closed row={row} /> },
  { id: 'draws', header: texts.draws, width: 200, yields: 1, cell: (row) => drawsText(row) },
  {
    id: 'daysText',
    header: texts.days,
    width: 220,
    cell: (row) => (
      <CellInput
        rowId={row.id}
        field="daysText"
        label={`${texts.days}: ${row.gameName}`}
        placeholder={texts.daysExample}
        isText
      />
    ),
  },
  { id: 'hoursText', header: texts.hours, width: 280, cell: (row) => <HoursInput row={row} /> },
];

function drawsText({ schedule, seconds }: ClosureRow): string {
  return schedule ? schedule.times.join(', ') : texts.every(intervalText(seconds));
}

function Closed({ row }: { row: ClosureRow }) {
  const { values } = useCells();
  const closed = FIELDS.map((field) => (values[cellName(row.id, field)] ?? '').trim()).filter((text) => text !== '');
  return closed.length === 0 ? <span className={cells.none}>{gameTexts.none}</span> : closed.join(', ');
}

function HoursInput({ row }: { row: ClosureRow }) {
  const { timeZone } = useUser();
  const { values } = useCells();
  const [now] = useState(() => new Date());
  const draws = nextDraws(row, values, timeZone, now);
  const next = draws?.map((draw) => momentIn(draw, timeZone)) ?? [];
  return (
    <CellInput
      rowId={row.id}
      field="hoursText"
      label={`${texts.hours}: ${row.gameName}`}
      placeholder={texts.hoursExample}
      hint={draws && (next.length === 0 ? texts.noNext : texts.next(next))}
      isText
    />
  );
}
