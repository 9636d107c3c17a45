import type { Account } from '@drawhouse/contract/accounts/accounts';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { makeChain } from '@drawhouse/contract/first-steps/first-steps';
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import * as z from 'zod/mini';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { formatPoints, parsePoints } from '../../../lib/format/format.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { go } from '../../../lib/navigation.ts';
import { detailsPath, homePath, PLAYERS_PATH } from '../../../lib/paths.ts';
import { call } from '../../../lib/server/api.ts';
import { useBalance } from '../../../lib/server/useBalance.ts';
import { focusOnNewPage } from '../../../ui/form/CallForm.tsx';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { GAMES, reloadAccounts } from '../accountActions.ts';
import classes from '../accounts.module.css';
import { GamesChecklist } from './GamesChecklist.tsx';
import { accountFormTexts } from './accountFormTexts.ts';

interface ChainForm extends Record<Level, string> {
  accountPassword: string;
  adminCredit: string;
  playerCredit: string;
  testNetwork: boolean;
  games: string[];
  password: string;
}

const FIRST_GAMES: ReadonlySet<string> = new Set(['funtargetbingo', 'europeanroulette', 'lottery3d']);

const EMPTY_CHAIN: ChainForm = {
  admin: 'admin-1',
  superdistributor: 'super-1',
  distributor: 'dist-1',
  retailer: 'retail-1',
  user: 'player-1',
  accountPassword: '',
  adminCredit: '10000',
  playerCredit: '1000',
  testNetwork: false,
  games: [],
  password: '',
};

function chainOf(form: ChainForm) {
  const { admin, superdistributor, distributor, retailer, user, ...rest } = form;
  return {
    ...rest,
    usernames: { admin, superdistributor, distributor, retailer, user },
    adminCredit: parsePoints(form.adminCredit) ?? Number.NaN,
    playerCredit: parsePoints(form.playerCredit) ?? Number.NaN,
  };
}

function chainErrors(form: ChainForm): Record<string, string> {
  const result = z.safeParse(makeChain.body!, chainOf(form));
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[String(path.at(-1))] ??= message;
  return errors;
}

const LEVELS = ROLES.slice(1) as Level[];
const OWN_NAMES = Object.fromEntries(LEVELS.map((level) => [`usernames.${level}`, level]));
const TITLE = accountFormTexts.accountsFromAdminPlayer;

export function ChainPage() {
  const [made, setMade] = useState<readonly Account[] | null>(null);
  return made ? <MadeChain accounts={made} /> : <NewChain onMade={setMade} />;
}

function NewChain({ onMade }: { onMade: (accounts: readonly Account[]) => void }) {
  const balance = useBalance();
  const form = useForm<ChainForm>({
    initialValues: EMPTY_CHAIN,
    validateInputOnBlur: true,
    validate: chainErrors,
  });
  useFirstGames(form);
  const create = useFormCall(form, {
    send: (values) => call(makeChain, { body: chainOf(values) }, { fallback: accountFormTexts.accountsWereNotCreated }),
    onDone: ({ data }) => {
      onMade(data);
      return reloadAccounts();
    },
    ownNames: OWN_NAMES,
  });
  const needed = (parsePoints(form.values.adminCredit) ?? 0) + (parsePoints(form.values.playerCredit) ?? 0);
  return (
    <FormPage
      title={TITLE}
      call={create}
      submitLabel={accountFormTexts.createAccounts}
      busyLabel={commonTexts.accounts.submitting}
      onCancel={() => go.back(homePath('superadmin'))}
    >
      {LEVELS.map((level) => (
        <TextInput
          key={level}
          label={commonTexts.accounts.titles[level]}
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps(level)}
        />
      ))}
      <PasswordInput
        label={accountFormTexts.firstPassword}
        description={accountFormTexts.forAllFiveAccounts}
        autoComplete="new-password"
        {...form.getInputProps('accountPassword')}
      />
      <TextInput
        label={accountFormTexts.creditAdmin}
        description={accountFormTexts.coversItsTables}
        inputMode="decimal"
        {...form.getInputProps('adminCredit')}
      />
      <TextInput
        label={accountFormTexts.creditPlayer}
        description={
          balance !== undefined && accountFormTexts.youHaveTheseTwo(formatPoints(balance), formatPoints(needed))
        }
        inputMode="decimal"
        {...form.getInputProps('playerCredit')}
      />
      <Checkbox
        label={accountFormTexts.thisIsTestNetwork}
        description={accountFormTexts.simulatedPlayersMayBet}
        {...form.getInputProps('testNetwork', { type: 'checkbox' })}
      />
      <PasswordInput
        label={commonTexts.credit.password}
        description={commonTexts.credit.passwordHint}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <ChainGames form={form} />
    </FormPage>
  );
}

/** Folded: the first games are chosen, and all of them would be many stops on the way to the button. */
function ChainGames({ form }: { form: UseFormReturnType<ChainForm> }) {
  const [isOpen, setIsOpen] = useState(false);
  const { games } = form.values;
  return (
    <details
      className={classes.chainGames}
      open={isOpen || form.errors['games'] !== undefined}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{accountFormTexts.gamesChosen(games.length)}</summary>
      <GamesChecklist value={games} onChange={(ids) => form.setFieldValue('games', ids)} error={form.errors['games']} />
    </details>
  );
}

/** Chooses few games: with all of them, the first bets are hard to find. */
function useFirstGames(form: UseFormReturnType<ChainForm>): void {
  const { data } = useQuery(GAMES);
  const choose = useEffectEvent((ids: string[]) => {
    if (form.isTouched('games') || form.values.games.length > 0) return;
    form.setInitialValues({ ...form.getInitialValues(), games: ids });
    form.setFieldValue('games', ids);
  });
  useEffect(() => {
    if (data) choose(data.data.filter(({ gameId }) => FIRST_GAMES.has(gameId)).map(({ _id }) => _id));
  }, [data]);
}

function MadeChain({ accounts }: { accounts: readonly Account[] }) {
  return (
    <>
      <PageHeader title={accountFormTexts.accountsCreated} />
      <dl className={classes.made}>
        {accounts.map(({ _id, role, username, walletBalance }) => (
          <div key={_id}>
            <dt>{commonTexts.accounts.titles[role as Level]}</dt>
            <dd>
              <PathLink href={detailsPath('superadmin', role, _id)}>{username}</PathLink>
              {walletBalance > 0 && accountFormTexts.credit(formatPoints(walletBalance))}
            </dd>
          </div>
        ))}
        <div>
          <dt>{accountFormTexts.playersSignInAt}</dt>
          <dd>
            <a href={PLAYERS_PATH}>{`${window.location.origin}${PLAYERS_PATH}`}</a>
          </dd>
        </div>
      </dl>
      <div>
        <Button component={PathLink} href={homePath('superadmin')} ref={focusOnNewPage}>
          {accountFormTexts.next}
        </Button>
      </div>
    </>
  );
}
