import { LIMITS, listLimits, setLimits, type GameLimits, type LimitName } from '@drawhouse/contract/games/limits';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { call } from '../../../lib/server/api.ts';
import { formatPoints } from '../../../lib/format/format.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { CellInput, EditableTable, useCells } from './EditableTable.tsx';
import { limitNotes, limitProblem, limitUpdates, spreadLimit } from './limitRows.ts';
import classes from './EditableTable.module.css';
import cells from './percentages/percentageCells.module.css';
import { cellName } from './rowForm.ts';
import { AdminFilter, NoGames, ChosenAdminPage, type AdminFormProps } from './ChosenAdmin.tsx';
import { useRowForm } from './useRowForm.ts';
import { gameTexts } from '../gameTexts.ts';

const TITLE = 'Limits';
const FIELDS = Object.keys(LIMITS) as LimitName[];

export function LimitsPage() {
  return <ChosenAdminPage title={TITLE} name="limits" route={listLimits} Form={LimitsForm} />;
}

function LimitsForm({ admin, admins, queryKey, answer: { data: rows } }: AdminFormProps<typeof listLimits>) {
  const rowForm = useRowForm<LimitName, GameLimits, RouteAnswer<typeof setLimits>>({
    rows,
    fields: FIELDS,
    queryKey,
    check: limitProblem,
    send: (changed, typed) =>
      call(setLimits, { params: { adminId: admin.id }, body: { updates: limitUpdates(changed, typed) } }),
    onDone: () => notifications.show({ message: gameTexts.limitsSet(admin.username) }),
    onUnchanged: () => notifications.show({ message: gameTexts.nothingSaveNoLimit }),
  });
  return (
    <EditableTable
      title={TITLE}
      rows={rows}
      columns={COLUMNS}
      rowForm={rowForm}
      rowLabel={(row) => row.gameName}
      save={gameTexts.setLimits}
      filters={<AdminFilter admin={admin} admins={admins} unsaved={rowForm.call.unsaved} />}
      notice={<Text className={classes.changed}>{gameTexts.limitsApplyFrom}</Text>}
      empty={<NoGames />}
    />
  );
}

const COLUMNS: readonly DataColumn<GameLimits>[] = [
  { id: 'gameName', header: 'Game', accessor: (row) => row.gameName, width: 180, sortable: true, priority: true },
  {
    id: 'unitPrice',
    header: gameTexts.unitPrice,
    accessor: (row) => row.unitPrice,
    width: 100,
    align: 'right',
    yields: 1,
    cell: (row) => formatPoints(row.unitPrice),
  },
  { id: 'all', header: 'Limits', phoneOnly: true, cell: (row) => <AllLimits row={row} /> },
  ...FIELDS.map((field): DataColumn<GameLimits> => ({
    id: field,
    header: LIMITS[field],
    accessor: (row) => row[field],
    width: field === 'perPlayer' ? 180 : 150,
    cell: (row) => <LimitInput row={row} field={field} />,
  })),
];

function LimitInput({ row, field }: { row: GameLimits; field: LimitName }) {
  const form = useCells();
  const { values } = form;
  const note = limitNotes(row, values)[field];
  const spread = spreadLimit(form.getInitialValues(), values, row.id, field);
  return (
    <div className={classes.cell}>
      <CellInput
        rowId={row.id}
        field={field}
        label={`${LIMITS[field]}: ${row.gameName}`}
        placeholder={gameTexts.noLimit}
      />
      {note !== undefined && <small className={classes.note}>{note}</small>}
      {spread && (
        <UnstyledButton
          className={classes.spread}
          onClick={() => {
            form.setValues(spread);
            form.getInputNode(cellName(row.id, field))?.focus();
          }}
        >
          {gameTexts.setForAllGames(Object.keys(values).length / FIELDS.length)}
        </UnstyledButton>
      )}
    </div>
  );
}

function AllLimits({ row }: { row: GameLimits }) {
  const { values } = useCells();
  const set = FIELDS.filter((field) => (values[cellName(row.id, field)] ?? '').trim() !== '');
  if (set.length === 0) return <span className={cells.none}>{gameTexts.none}</span>;
  return (
    <span className={cells.game}>
      {set.map((field) => (
        <small key={field}>{`${LIMITS[field]}: ${values[cellName(row.id, field)]}`}</small>
      ))}
    </span>
  );
}
