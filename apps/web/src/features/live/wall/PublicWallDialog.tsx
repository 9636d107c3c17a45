import { makeWall, wallState, withdrawWall } from '@drawhouse/contract/players/wall';
import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import { Button, Checkbox, CopyButton, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { failureNote } from '../../../lib/RequestId.tsx';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { publicWallTexts as texts } from '../liveTexts.ts';
import { WALL_SECONDS, wallAddress } from './wallTables.ts';
import classes from './PublicWallDialog.module.css';
import { wallTexts } from '../tables/liveTablesTexts.ts';

const QUERY_KEY = ['session', 'wall'] as const;

interface PublicWallDialogProps {
  tables: readonly LiveTable[];
  opened: boolean;
  onClose: () => void;
}

/** The link is shown once. */
export function PublicWallDialog({ tables, opened, onClose }: PublicWallDialogProps) {
  const state = useQuery(callQuery(QUERY_KEY, wallState, {}));
  const [games, setGames] = useState<readonly string[]>([]);
  const [seconds, setSeconds] = useState<number>(WALL_SECONDS[1]);
  const [key, setKey] = useState<string | null>(null);
  const settled = {
    onError: (error: Error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
    onSettled: () => reload(QUERY_KEY),
  };
  const make = useMutation({
    mutationFn: () => call(makeWall, {}),
    onSuccess: (made) => setKey(made.key),
    ...settled,
  });
  const withdraw = useMutation({
    mutationFn: () => call(withdrawWall, {}),
    onSuccess: ({ message }) => {
      setKey(null);
      notifications.show({ message });
    },
    ...settled,
  });
  const madeAt = state.data?.madeAt ?? null;
  const link = key && wallAddress(window.location.origin, { key, games, seconds });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title} closeOnClickOutside={!key}>
      <Stack gap="md">
        <Text size="sm">{texts.about}</Text>
        <Checkbox.Group label={texts.games} description={texts.all} value={[...games]} onChange={setGames}>
          <div className={classes.games}>
            {tables.map(({ gameId, gameName }) => (
              <Checkbox key={gameId} value={gameId} label={gameName} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect
          label={texts.seconds}
          data={WALL_SECONDS.map((each) => ({ value: String(each), label: wallTexts.seconds(each) }))}
          value={String(seconds)}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
        />
        {link ? (
          <>
            <TextInput
              label={texts.link}
              description={texts.once}
              readOnly
              value={link}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton value={link}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? texts.copied : texts.copy}</Button>}
            </CopyButton>
          </>
        ) : (
          madeAt !== null && <Text size="sm">{texts.made(formatDateTime(madeAt))}</Text>
        )}
        <Actions
          madeAt={madeAt}
          isShown={link !== null}
          isLoaded={state.data !== undefined}
          making={make.isPending}
          withdrawing={withdraw.isPending}
          onMake={() => make.mutate()}
          onWithdraw={() => withdraw.mutate()}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  );
}

interface ActionsProps {
  madeAt: string | null;
  isShown: boolean;
  isLoaded: boolean;
  making: boolean;
  withdrawing: boolean;
  onMake: () => void;
  onWithdraw: () => void;
  onClose: () => void;
}

function Actions({ madeAt, isShown, isLoaded, making, withdrawing, onMake, onWithdraw, onClose }: ActionsProps) {
  return (
    <Group justify={madeAt === null ? 'flex-end' : 'space-between'} gap="xs">
      {madeAt !== null && (
        <Button variant="subtle" color="red" loading={withdrawing} onClick={onWithdraw}>
          {texts.withdraw}
        </Button>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
        {!isShown && (
          <Button loading={making} disabled={!isLoaded} onClick={onMake}>
            {madeAt === null ? texts.make : texts.makeNew}
          </Button>
        )}
      </Group>
    </Group>
  );
}
