import type { Account } from '@drawhouse/contract/accounts/accounts';
import { roleAbove, percentHundredthsOf, percentOf, STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { Checkbox, Group, PasswordInput, Radio, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Level } from '../../../commonTexts.ts';
import type { AccountForm } from './accountForm.ts';
import { pagePath, withSearch } from '../../../lib/paths.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { GamesChecklist } from './GamesChecklist.tsx';
import { ParentSelect } from './ParentSelect.tsx';
import type { ParentChoice } from './useParentChoice.ts';
import { accountFormTexts } from './accountFormTexts.ts';
import { useQuery } from '@tanstack/react-query';
import { parsePoints } from '../../../lib/format/format.ts';
import { gamesReachingStake } from '../../../lib/format/returns.ts';
import { AsideColumn } from '../../../ui/form/FormPage.tsx';
import { WarningNote } from '../../../ui/page/Notes.tsx';
import { GAMES } from '../accountActions.ts';

const texts = accountFormTexts;

interface AccountFieldsProps {
  level: Level;
  form: UseFormReturnType<AccountForm>;
  /** Its username is fixed and its password optional. */
  account?: Account | undefined;
  parent?: ParentChoice | null;
}

export function AccountFields({ level, form, account, parent = null }: AccountFieldsProps) {
  const existing = account !== undefined;
  return (
    <>
      <TextInput
        label={texts.fields.username}
        autoCapitalize="none"
        spellCheck={false}
        readOnly={existing}
        variant={existing ? 'filled' : 'default'}
        {...form.getInputProps('username')}
      />
      <PasswordFields level={level} form={form} isNew={!existing} />
      <AsideColumn
        fields={
          <>
            <TextInput
              label={texts.fields.commission}
              description={existing && level !== 'admin' ? texts.commissionHint : undefined}
              inputMode="decimal"
              rightSection="%"
              {...form.getInputProps('commission')}
            />
            {level === 'admin' && (
              <TextInput
                label={texts.fields.commissionCeiling}
                description={texts.commissionCeilingHint}
                inputMode="decimal"
                rightSection="%"
                {...form.getInputProps('commissionCeiling')}
              />
            )}
          </>
        }
      >
        <CommissionWarning level={level} values={form.values} account={account} />
      </AsideColumn>
      {existing && <LimitFields level={level} form={form} />}
      <Textarea label={texts.fields.note} autosize minRows={1} maxRows={6} {...form.getInputProps('note')} />
      <ParentSelect
        parents={(roleAbove(level) ?? 'superadmin') as Exclude<Role, 'user'>}
        initial={parent}
        value={form.values.refId}
        onChange={(id) => form.setFieldValue('refId', id)}
        onPreselect={(refId) => {
          form.setInitialValues({ ...form.getInitialValues(), refId });
          form.setFieldValue('refId', refId);
        }}
        error={form.errors['refId']}
        dataPath="refId"
      />
      <Radio.Group label={texts.fields.status} {...form.getInputProps('userStatus')}>
        <Group gap="lg" mt={6}>
          <Radio value="active" label={texts.active} />
          <Radio value="deactive" label={texts.deactive} />
        </Group>
      </Radio.Group>
      {existing && level === 'admin' && <NetworkChoices form={form} />}
      {level === 'admin' && (
        <GamesChecklist
          value={form.values.games}
          onChange={(ids) => form.setFieldValue('games', ids)}
          error={form.errors['games']}
        />
      )}
    </>
  );
}

function PasswordFields({ level, form, isNew }: Pick<AccountFieldsProps, 'level' | 'form'> & { isNew: boolean }) {
  return (
    <>
      {!form.values.invites && (
        <PasswordInput
          label={texts.fields.password}
          description={isNew ? (level === 'user' ? undefined : texts.firstPasswordHint) : texts.leaveEmptyKeepCurrent}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      )}
      {isNew && level !== 'user' && (
        <Checkbox
          label={texts.invite}
          description={texts.inviteHint}
          {...form.getInputProps('invites', { type: 'checkbox' })}
        />
      )}
    </>
  );
}

function NetworkChoices({ form }: Pick<AccountFieldsProps, 'form'>) {
  return (
    <>
      <Checkbox
        label={texts.fields.tokenSessions}
        description={texts.tokenSessionsHint}
        {...form.getInputProps('tokenSessions', { type: 'checkbox' })}
      />
      <Checkbox.Group
        label={texts.fields.factorRoles}
        description={texts.factorRolesHint}
        {...form.getInputProps('factorRoles')}
      >
        <Group gap="md" mt="xs">
          {STAFF_ROLES.slice(1).map((role) => (
            <Checkbox key={role} value={role} label={role} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label={texts.fields.rememberDevices}
        description={texts.rememberDevicesHint}
        {...form.getInputProps('rememberDevices', { type: 'checkbox' })}
      />
      <Checkbox
        label={texts.fields.passwordFirst}
        description={texts.passwordFirstHint}
        {...form.getInputProps('passwordFirst', { type: 'checkbox' })}
      />
      <Checkbox
        label={texts.fields.testNetwork}
        description={texts.testNetworkHint}
        {...form.getInputProps('testNetwork', { type: 'checkbox' })}
      />
    </>
  );
}

function LimitFields({ level, form }: Pick<AccountFieldsProps, 'level' | 'form'>) {
  return (
    <>
      {level !== 'user' && (
        <TextInput
          label={texts.fields.dailyLimit}
          description={texts.dailyLimitHint}
          inputMode="decimal"
          {...form.getInputProps('dailyLimit')}
        />
      )}
      {level === 'admin' && (
        <>
          <TextInput
            label={texts.fields.tableLine}
            description={texts.tableLineHint}
            inputMode="decimal"
            {...form.getInputProps('tableLine')}
          />
          <PathLink href={withSearch(pagePath('superadmin', 'beacons'), { admin: form.values.username })}>
            {texts.beacons}
          </PathLink>
        </>
      )}
    </>
  );
}

interface CommissionWarningProps {
  readonly level: Level;
  readonly values: AccountForm;
  readonly account?: Account | undefined;
}

/**
 * Warns if the highest commission chain plus a game's return reaches 100 %, with the typed values. Below admins and on
 * creation the chain is unknown, so only the account's own rate counts.
 */
function CommissionWarning({ level, values, account }: CommissionWarningProps) {
  const isAdmin = level === 'admin';
  const typed = isAdmin ? 0 : (parsePoints(values.commission) ?? 0);
  const chain = account?.highestChain;
  const rest = chain
    ? percentHundredthsOf(chain.commission) - (isAdmin ? 0 : percentHundredthsOf(account.commission))
    : 0;
  const commission = percentOf(rest + percentHundredthsOf(typed));
  const { data } = useQuery({ ...GAMES, enabled: commission > 0 });
  const played = isAdmin ? values.games : chain?.games;
  const games = data?.data.filter(({ _id }) => played === undefined || played.includes(_id)) ?? [];
  const names = gamesReachingStake(games, commission);
  if (names === null) return null;
  return (
    <WarningNote>
      {chain
        ? accountFormTexts.commissionsAddUpAlong(commission, names)
        : accountFormTexts.withThisCommissionAlone(commission, names)}
    </WarningNote>
  );
}
