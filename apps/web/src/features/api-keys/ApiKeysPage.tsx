import { apiKeys, endApiKey, type ApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCalendarStats, IconKey, IconKeyOff, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/page/PageStates.tsx';
import { HeadButton } from '../../ui/page/HeadButton.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';
import { API_KEY_COLUMNS } from './apiKeyColumns.tsx';
import { ApiKeyDialog } from './ApiKeyDialog.tsx';
import { apiKeyTexts as texts } from './apiKeyTexts.ts';
import classes from './ApiKeys.module.css';
import { KeyDaysDialog } from './KeyDaysDialog.tsx';

type Act = keyof typeof texts.actions;
const ICONS: Readonly<Record<Act, RowAction['icon']>> = {
  days: IconCalendarStats,
  change: IconPencil,
  end: IconKeyOff,
};
const PAGE_ROWS = 25;

export function ApiKeysPage() {
  const [target, setTarget] = useState<{ act: Act; key: ApiKey } | 'new' | null>(null);
  const list = useQuery(callQuery(['apiKeys'], apiKeys, {}));
  const close = () => setTarget(null);
  const of = (act: Act): ApiKey | null =>
    target !== null && target !== 'new' && target.act === act ? target.key : null;
  return (
    <>
      <PageHeader
        title={texts.title}
        action={<HeadButton name={texts.make} icon={IconKey} onClick={() => setTarget('new')} />}
      />
      <p className={classes.meaning}>{texts.meaning}</p>
      <DataTable
        label={texts.title}
        rows={list.data?.data}
        columns={API_KEY_COLUMNS}
        rowKey={idOf}
        rowLabel={nameOf}
        actions={(key) =>
          offered(key).map((act) => ({
            id: act,
            label: texts.actions[act],
            icon: ICONS[act],
            onClick: () => setTarget({ act, key }),
            prominent: true,
            danger: act === 'end',
          }))
        }
        loading={list.isFetching}
        error={list.error && !list.data ? errorMessage(list.error) : null}
        onRetry={() => void list.refetch()}
        pageSize={PAGE_ROWS}
        keepsPage
        empty={
          <EmptyState
            title={texts.emptyTitle}
            text={texts.emptyText}
            action={
              <Button variant="default" onClick={() => setTarget('new')}>
                {texts.make}
              </Button>
            }
          />
        }
      />
      <ApiKeyDialog target={target === 'new' ? target : of('change')} onClose={close} />
      <KeyDaysDialog target={of('days')} onClose={close} />
      <EndDialog target={of('end')} onClose={close} />
    </>
  );
}

const idOf = ({ _id }: ApiKey): string => _id;
const nameOf = ({ name }: ApiKey): string => name;

function offered({ endedAt }: ApiKey): readonly Act[] {
  return endedAt === null ? ['days', 'change', 'end'] : ['days'];
}

function EndDialog({ target, onClose }: { target: ApiKey | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ _id }) => call(endApiKey, { params: { keyId: _id } }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['apiKeys']);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={texts.end.title} confirmLabel={texts.end.label} confirms={endApiKey} danger>
      {shown && texts.end.question(shown.name)}
      <Text mt="xs">{texts.end.consequence}</Text>
    </ConfirmDialog>
  );
}
