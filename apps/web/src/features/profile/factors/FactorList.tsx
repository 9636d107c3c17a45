import {
  listFactors,
  removeFactor,
  renewCodes,
  type Factor,
  addPasskey,
  beginPasskey,
} from '@drawhouse/contract/auth/factors';
import { ApiError } from '@drawhouse/session/api-client';
import { makePasskey } from '@drawhouse/session/passkeys';
import { richText } from '@drawhouse/session/rich-text';
import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { refreshSession } from '../../../lib/session/sessionCalls.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import rows from '../SessionList.module.css';
import { AppDialog } from './AppDialog.tsx';
import classes from './Factors.module.css';
import { RememberedDevices } from './RememberedDevices.tsx';
import { factorTexts as texts, factorTexts } from './factorTexts.ts';
import { OnceDialog } from '../../../ui/dialog/OnceDialog.tsx';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../../ui/dialog/DialogForm.tsx';

type Target = { readonly remove: Factor } | 'app' | 'passkey' | 'codes';

export function FactorList() {
  const { data, error, refetch } = useQuery(callQuery(['session', 'factors'], listFactors, {}));
  const [target, setTarget] = useState<Target | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const opener = useRef<Element | null>(null);
  const open = (chosen: Target) => {
    opener.current = document.activeElement;
    setTarget(chosen);
  };
  const close = () => setTarget(null);
  // Dialogs ask for the code or the password, as the session says.
  const refresh = () => void refreshSession().catch(() => undefined);
  const onChanged = (made: readonly string[] | undefined) => {
    void reload(['session', 'factors']);
    // A page that only asks for a factor ends with the refresh, so the codes come first.
    if (!made) return refresh();
    // The next dialog returns the focus where it was when it opened.
    if (opener.current instanceof HTMLElement) opener.current.focus();
    setCodes(made);
  };
  const onCodesStored = () => {
    setCodes(null);
    refresh();
  };
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} radius="md" />
    );
  }
  const factors = data.data;
  return (
    <>
      <p className={classes.meaning}>{texts.meaning}</p>
      {factors.length > 0 && (
        <ul className={rows.list}>
          {factors.map((factor) => (
            <FactorRow
              key={factor.number}
              factor={factor}
              onAct={() => open(factor.kind === 'codes' ? 'codes' : { remove: factor })}
            />
          ))}
        </ul>
      )}
      <Group className={classes.add} gap="xs">
        <Button variant="default" onClick={() => open('passkey')}>
          {texts.addPasskey}
        </Button>
        <Button variant="default" onClick={() => open('app')}>
          {texts.addApp}
        </Button>
      </Group>
      <RememberedDevices />
      <PasskeyDialog opened={target === 'passkey'} onAdded={onChanged} onClose={close} />
      {target === 'app' && <AppDialog onAdded={onChanged} onClose={close} />}
      <RemoveDialog
        target={target !== null && typeof target === 'object' ? target.remove : null}
        isLast={factors.filter(({ kind }) => kind !== 'codes').length === 1}
        onDone={() => onChanged(undefined)}
        onClose={close}
      />
      <RenewDialog opened={target === 'codes'} onDone={onChanged} onClose={close} />
      <CodesDialog codes={codes} onClose={onCodesStored} />
    </>
  );
}

function FactorRow({ factor, onAct }: { factor: Factor; onAct: () => void }) {
  const { kind, name, madeAt, lastUsedAt, codesLeft } = factor;
  return (
    <li>
      <div>
        <div className={rows.device}>{name}</div>
        <div className={rows.facts}>
          {kind !== 'codes' && <span>{texts.kinds[kind]}</span>}
          {codesLeft !== undefined && <span>{texts.codesLeft(codesLeft)}</span>}
          <span>{richText(texts.madeAt, { time: <DateTime value={madeAt} relative /> })}</span>
          <span>
            {lastUsedAt === null
              ? texts.neverUsed
              : richText(texts.lastUsed, { time: <DateTime value={lastUsedAt} relative /> })}
          </span>
        </div>
      </div>
      <Button
        className={rows.end}
        variant="default"
        size="xs"
        {...(kind !== 'codes' && { 'aria-label': texts.remove.labelOf(name) })}
        onClick={onAct}
      >
        {kind === 'codes' ? texts.renewCodes : texts.remove.label}
      </Button>
    </li>
  );
}

interface RemoveDialogProps {
  target: Factor | null;
  isLast: boolean;
  onDone: () => void;
  onClose: () => void;
}

function RemoveDialog({ target, isLast, onDone, onClose }: RemoveDialogProps) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ number }) => call(removeFactor, { params: { number: String(number) } }),
    onDone: ({ message }) => {
      notifications.show({ message });
      onDone();
    },
    onClose,
  });
  return (
    <ConfirmDialog
      {...dialog}
      title={texts.remove.title}
      confirmLabel={texts.remove.label}
      confirms={removeFactor}
      danger
    >
      {shown && texts.remove.question(shown.name)}
      {isLast && <Text mt="xs">{texts.remove.last}</Text>}
    </ConfirmDialog>
  );
}

const RENEWAL = {};

interface RenewDialogProps {
  opened: boolean;
  onDone: (codes: readonly string[]) => void;
  onClose: () => void;
}

function RenewDialog({ opened, onDone, onClose }: RenewDialogProps) {
  const { dialog } = useConfirmCall(opened ? RENEWAL : null, {
    send: () => call(renewCodes, {}),
    onDone: ({ codes }) => onDone(codes),
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={texts.renew.title} confirmLabel={texts.renew.label} confirms={renewCodes}>
      {texts.renew.question}
      <Text mt="xs">{texts.renew.consequence}</Text>
    </ConfirmDialog>
  );
}

const codesTexts = factorTexts.codes;

interface CodesDialogProps {
  codes: readonly string[] | null;
  onClose: () => void;
}

function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const [shown, setShown] = useState(codes);
  if (codes && codes !== shown) setShown(codes);
  return (
    <OnceDialog
      opened={codes !== null}
      onClose={onClose}
      title={codesTexts.title}
      meaning={codesTexts.once}
      value={shown?.join('\n') ?? ''}
      done={codesTexts.stored}
    >
      <ul className={classes.codes} aria-label={codesTexts.list}>
        {shown?.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </OnceDialog>
  );
}

const passkeyTexts = factorTexts.passkey;

interface PasskeyDialogProps {
  opened: boolean;
  onAdded: (codes: readonly string[] | undefined) => void;
  onClose: () => void;
}

function PasskeyDialog({ opened, ...props }: PasskeyDialogProps) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={passkeyTexts.title} closeOnClickOutside={false}>
      {opened && <PasskeyForm {...props} />}
    </Dialog>
  );
}

function PasskeyForm({ onAdded, onClose }: Omit<PasskeyDialogProps, 'opened'>) {
  const form = useForm({
    initialValues: { name: passkeyTexts.firstName },
    validate: { name: (name) => (name.trim() === '' ? passkeyTexts.nameMissing : null) },
  });
  const add = useFormCall(form, {
    send: async ({ name }) => {
      const { setup, options } = await call(beginPasskey, {});
      const passkey = await makePasskey(options);
      return call(addPasskey, { body: { setup, name, passkey } });
    },
    refusalText: (error) => (error instanceof ApiError ? errorMessage(error) : passkeyTexts.failed),
    onDone: ({ codes }) => {
      onClose();
      onAdded(codes);
    },
  });
  return (
    <DialogForm
      label={passkeyTexts.title}
      call={add}
      confirms={beginPasskey}
      submit={passkeyTexts.submit}
      onCancel={onClose}
    >
      <Text>{passkeyTexts.help}</Text>
      <TextInput
        label={passkeyTexts.name}
        description={passkeyTexts.nameHelp}
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
