import {
  checkImport,
  importAccounts,
  importProgress,
  type ImportedRole,
} from '@drawhouse/contract/accounts/bulk-accounts';
import { roleAbove, type Role } from '@drawhouse/contract/core/primitives';
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { commonTexts } from '../../../commonTexts.ts';
import { newIdempotencyKey } from '../../../lib/form/idempotencyKey.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { listPath } from '../../../lib/paths.ts';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { saveFile } from '../../../lib/server/useExport.ts';
import { useUser } from '../../../lib/session/session.ts';
import { usePasswordPart } from '../../../ui/dialog/Dialog.tsx';
import { useDialogPassword } from '../../../ui/dialog/useDialogPassword.ts';
import { LeaveGuard } from '../../../ui/form/LeaveGuard.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { ProgressBar } from '../../../ui/page/Loading.tsx';
import { reloadAccounts } from '../accountActions.ts';
import { ParentSelect } from '../edit/ParentSelect.tsx';
import {
  decodeCsv,
  readAccountCsv,
  ROLE_COLUMN,
  roleProblem,
  SAMPLE_CSV,
  type CsvRow,
  type ReadCsv,
} from './accountCsv.ts';
import { CheckedRows, type RowProblem } from './CheckedRows.tsx';
import { firstPassword } from '../edit/accountForm.ts';
import { PasswordSlips, type FirstPassword } from './PasswordSlips.tsx';
import classes from './import.module.css';
import { importTexts } from './importTexts.ts';

interface ImportPageProps {
  level: ImportedRole;
}

export function ImportPage({ level }: ImportPageProps) {
  const { role } = useUser();
  const [slips, setSlips] = useState<readonly FirstPassword[] | null>(null);
  const names = commonTexts.dashboard.cards[level];
  if (slips) return <PasswordSlips level={level} slips={slips} leave={listPath(role, level)} />;
  return (
    <>
      <PageHeader title={importTexts.import(names)} />
      <ImportForm level={level} onCreated={setSlips} />
    </>
  );
}

interface Checked {
  readonly csv: ReadCsv;
  readonly problems: readonly RowProblem[];
}

function ImportForm({ level, onCreated }: ImportPageProps & { onCreated: (slips: readonly FirstPassword[]) => void }) {
  const { role, _id } = useUser();
  const above = (roleAbove(level) ?? 'superadmin') as Exclude<Role, 'user'>;
  const [refId, setRefId] = useState<string | null>(role === above ? _id : null);
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { check, create, send } = useImport(level, refId, setChecked, onCreated);
  const busy = check.isPending || create.isPending;
  const right = checked?.problems.length === 0 ? checked.csv : null;

  function edit(next: string) {
    setText(next);
    setChecked(null);
    setProblem(null);
    check.reset();
    create.reset();
  }

  function checkRows() {
    const csv = readAccountCsv(text);
    setProblem(csv.problem);
    setChecked(null);
    create.reset();
    if (csv.problem === null) check.mutate(csv);
  }

  const error = create.error ?? check.error;
  return (
    <Stack gap="md" className={classes.form}>
      <LeaveGuard when={text.trim() !== ''} />
      <Text>{importTexts.oneUsernamePerLine}</Text>
      <ParentSelect
        parents={above}
        value={refId}
        onChange={(id) => {
          setRefId(id);
          setChecked(null);
        }}
        onPreselect={setRefId}
        dataPath="refId"
      />
      <Textarea
        label={importTexts.rows}
        description={importTexts.typePasteOrChoose}
        autosize
        minRows={5}
        maxRows={checked ? 4 : 14}
        spellCheck={false}
        value={text}
        onChange={(event) => edit(event.currentTarget.value)}
        error={problem}
        disabled={busy}
        classNames={{ input: classes.text! }}
      />
      <FileTools busy={busy} onText={edit} />
      {checked && <CheckedRows {...checked} />}
      {error && !isUnconfirmed(error) && <Failed error={error} />}
      <Actions
        right={right}
        isChecking={check.isPending}
        create={create}
        send={send}
        onCancel={() => setChecked(null)}
        checkButton={
          <Button loading={check.isPending} disabled={text.trim() === ''} onClick={checkRows}>
            {importTexts.checkRows}
          </Button>
        }
        leave={listPath(role, level)}
      />
    </Stack>
  );
}

interface ActionsProps {
  right: ReadCsv | null;
  isChecking: boolean;
  create: Pick<ReturnType<typeof useImport>['create'], 'isPending' | 'variables'>;
  send: (csv: ReadCsv) => void;
  onCancel: () => void;
  checkButton: ReactNode;
  leave: string;
}

/** Asks for the password if the page holds no elevation. */
function Actions({ right, isChecking, create, send, onCancel, checkButton, leave }: ActionsProps) {
  const password = useDialogPassword({
    opened: right !== null,
    confirms: importAccounts,
    busy: create.isPending,
    onClose: onCancel,
  });
  const PasswordPart = usePasswordPart(password.isVisible)?.PasswordPart;
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (right || password.error !== null) buttons.current?.scrollIntoView({ block: 'end' });
  }, [right, password.error]);
  const form = useRef<HTMLFormElement>(null);
  const isReady = !isChecking && (right === null || !password.isVisible || PasswordPart !== undefined);
  useEffect(() => {
    // The disabled button lost the focus.
    if (isReady && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('input:not([hidden]), button')?.focus({ preventScroll: true });
  }, [isReady]);
  async function createAll(csv: ReadCsv) {
    if (password.isAwaited) password.resume();
    else if (await password.confirm()) send(csv);
  }
  return (
    <form
      ref={form}
      className={classes.actions}
      onSubmit={(event) => {
        event.preventDefault();
        if (right) void createAll(right);
      }}
    >
      {right && PasswordPart && password.isVisible && (
        <div className={classes.password}>
          <PasswordPart field={password} />
        </div>
      )}
      {right && create.variables && create.isPending && !password.isAwaited && (
        <Creating count={right.rows.length} importKey={create.variables.key} />
      )}
      <Group gap="xs" ref={buttons} className={classes.buttons}>
        {right ? (
          <Button type="submit" loading={password.isBusy}>
            {importTexts.create(right.rows.length)}
          </Button>
        ) : (
          checkButton
        )}
        <Button component={PathLink} href={leave} variant="default">
          {importTexts.cancel}
        </Button>
      </Group>
    </form>
  );
}

const PROGRESS_MS = 1_000;

function Creating({ count, importKey }: { count: number; importKey: string }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { data } = useQuery({
    queryKey: ['accounts', 'import', importKey],
    queryFn: ({ signal }) => call(importProgress, { query: { key: importKey } }, { signal, background: true }),
    refetchInterval: PROGRESS_MS,
    gcTime: 0,
  });
  const progress = data?.progress;
  return (
    <div>
      <Text component="output">{importTexts.creating(count)}</Text>
      <ProgressBar
        aria-label={importTexts.progress}
        max={count}
        {...(progress && progress.step !== 'write' && { value: progress.done })}
      />
      <Text c="dimmed" size="sm" aria-hidden>
        {progress && `${importTexts.steps[progress.step](progress.done, progress.total)} · `}
        {importTexts.seconds(seconds)}
      </Text>
    </div>
  );
}

function Failed({ error }: { error: Error }) {
  return (
    <Text role="alert" c="var(--dh-loss)">
      <FailureText message={errorMessage(error)} />
    </Text>
  );
}

function FileTools({ busy, onText }: { busy: boolean; onText: (text: string) => void }) {
  return (
    <Group gap="xs">
      <FileButton
        accept=".csv,.txt,text/csv,text/plain"
        onChange={(file) => void file?.arrayBuffer().then((bytes) => onText(decodeCsv(new Uint8Array(bytes))))}
      >
        {(props) => (
          <Button variant="default" disabled={busy} {...props}>
            {importTexts.chooseFile}
          </Button>
        )}
      </FileButton>
      <Button
        variant="subtle"
        onClick={() => saveFile(new Blob([SAMPLE_CSV], { type: 'text/csv' }), 'accounts-sample.csv')}
      >
        {importTexts.sampleFile}
      </Button>
    </Group>
  );
}

function useImport(
  level: ImportedRole,
  refId: string | null,
  onChecked: (checked: Checked) => void,
  onCreated: (slips: readonly FirstPassword[]) => void,
) {
  const parent = refId === null ? {} : { refId };
  // A resend after a lost answer keeps passwords and key.
  const order = useRef<ImportOrder | null>(null);
  const check = useMutation({
    mutationFn: async (csv: ReadCsv) => {
      const rows = csv.rows.map(({ row }) => row);
      const { problems } = await call(checkImport, { body: { role: level, rows, ...parent } });
      const roles = csv.rows.flatMap(({ role }, row) => {
        const message = roleProblem(role, level, commonTexts.dashboard.cards[level]);
        return message === null ? [] : [{ row, field: ROLE_COLUMN, message }];
      });
      return { csv, problems: [...roles, ...problems] };
    },
    onSuccess: onChecked,
  });
  const create = useMutation({
    mutationFn: async ({ csv, key, slips }: ImportOrder) => {
      const rows = csv.rows.map(({ row }, nth) => ({ ...row, password: slips[nth]!.password }));
      const { accounts } = await call(
        importAccounts,
        { body: { role: level, rows, ...parent } },
        { idempotencyKey: key },
      );
      return accounts.map(({ username }, nth) => ({ ...slips[nth]!, username }));
    },
    onSuccess: (slips) => {
      onCreated(slips);
      return reloadAccounts();
    },
  });
  function send(csv: ReadCsv) {
    if (order.current?.csv !== csv) order.current = { csv, key: newIdempotencyKey(), slips: csv.rows.map(slipOf) };
    create.mutate(order.current);
  }
  return { check, create, send };
}

interface ImportOrder {
  readonly csv: ReadCsv;
  readonly key: string;
  readonly slips: readonly FirstPassword[];
}

function slipOf({ row: { username = '', password } }: CsvRow): FirstPassword {
  return { username, password: password || firstPassword() };
}
