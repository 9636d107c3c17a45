import { GAME_STATUS, LABELLED_DIGITS_MAX } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { RESULT_MODES } from '@drawhouse/contract/games/game-pair';
import { timeList } from '@drawhouse/contract/games/times';
import { FAMILIES, type FamilyName } from '@drawhouse/rules/games/catalogue';
import { DIGITS_BY_FAMILY } from '@drawhouse/rules/games/rules';
import {
  Checkbox,
  Group,
  MultiSelect,
  Radio,
  Select,
  Stack,
  Textarea,
  TextInput,
  Button,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { AsideColumn } from '../../../ui/form/FormPage.tsx';
import { DayInput } from '../../../ui/filter/DayInput.tsx';
import { FAMILY_NAMES, gameTexts, RESULT_MODE_NAMES } from '../gameTexts.ts';
import { ImageFields } from './ImageFields.tsx';
import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { typedRules, usualRules, type GameForm } from './gameForm.ts';
import { GameReturns } from './GameReturns.tsx';
import classes from './PayFields.module.css';

const texts = gameTexts.fields;
const STATUS_OPTIONS = Object.entries(GAME_STATUS).map(([value, label]) => ({ value, label }));
const FAMILY_OPTIONS = FAMILIES.map((value) => ({ value, label: FAMILY_NAMES[value] }));

interface GameFieldsProps {
  form: UseFormReturnType<GameForm>;
  game?: Game;
  /** Why family and digits stay. */
  fixed?: string | null;
}

export function GameFields({ form, game, fixed = null }: GameFieldsProps) {
  return (
    <>
      {game && <TextInput label={texts.gameId} readOnly variant="filled" value={game.gameId} />}
      <TextInput label={texts.gameName} {...form.getInputProps('gameName')} />
      <Textarea label={texts.description} autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
      <FamilyFields form={form} fixed={fixed} />
      <TimesField form={form} />
      <Radio.Group
        label={texts.resultMode}
        {...(game && { description: gameTexts.changesApplyFromNext })}
        {...form.getInputProps('resultMode')}
      >
        <Stack gap={6} mt={6}>
          {RESULT_MODES.map((mode) => (
            <Radio key={mode} value={mode} label={RESULT_MODE_NAMES[mode]} />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label={texts.manualClaims}
        description={withNextDraw(gameTexts.otherwiseTheyArePaid, game)}
        checked={form.values.manualClaims === 'yes'}
        onChange={({ currentTarget: { checked } }) => form.setFieldValue('manualClaims', checked ? 'yes' : 'no')}
      />
      <TextInput label={texts.publisher} {...form.getInputProps('publisher')} />
      <DayInput
        label={texts.releaseDate}
        {...form.getInputProps('releaseDate')}
        value={form.values.releaseDate}
        onChange={(day) => form.setFieldValue('releaseDate', day)}
      />
      <Select label={texts.status} data={STATUS_OPTIONS} allowDeselect={false} {...form.getInputProps('status')} />
      <TextInput
        label={texts.unitPrice}
        description={withNextDraw(gameTexts.inPoints, game)}
        inputMode="decimal"
        {...form.getInputProps('unitPrice')}
      />
      <Radio.Group
        label={texts.label}
        description={gameTexts.withYesEachDigit(LABELLED_DIGITS_MAX)}
        {...form.getInputProps('label')}
      >
        <Group gap="lg" mt={6}>
          <Radio value="no" label={gameTexts.no} />
          <Radio value="yes" label={gameTexts.yes} />
        </Group>
      </Radio.Group>
      <ImageFields form={form} gameId={game?.gameId ?? ''} />
      <PayFields form={form} gameId={game?.gameId ?? ''} exists={game !== undefined} />
    </>
  );
}

function FamilyFields({ form, fixed }: { form: UseFormReturnType<GameForm>; fixed: string | null }) {
  const sizes = DIGITS_BY_FAMILY[form.values.family];

  function chooseFamily(family: FamilyName) {
    const [first] = DIGITS_BY_FAMILY[family] ?? [];
    form.setValues({ family, pays: {}, ...(first !== undefined && { nodigit: String(first) }) });
    if (first !== undefined) form.clearFieldError('nodigit');
  }

  return (
    <>
      <Select
        label={texts.family}
        description={fixed ?? gameTexts.definesOutcomesAndBets}
        data={FAMILY_OPTIONS}
        allowDeselect={false}
        readOnly={fixed !== null}
        variant={fixed ? 'filled' : 'default'}
        {...form.getInputProps('family')}
        onChange={(chosen) => chooseFamily(chosen as FamilyName)}
      />
      {sizes && sizes.length > 1 && !fixed ? (
        <Select
          label={texts.nodigit}
          data={sizes.map((size) => ({ value: String(size), label: formatCount(size) }))}
          allowDeselect={false}
          {...form.getInputProps('nodigit')}
        />
      ) : (
        <TextInput
          label={texts.nodigit}
          description={fixed ?? (sizes ? gameTexts.fixedForThisFamily : gameTexts.numberPossibleOutcomesFrom)}
          inputMode="numeric"
          readOnly={fixed !== null || sizes !== null}
          variant={fixed || sizes !== null ? 'filled' : 'default'}
          {...form.getInputProps('nodigit')}
        />
      )}
    </>
  );
}

function TimesField({ form }: { form: UseFormReturnType<GameForm> }) {
  const { data, error } = useQuery(callQuery(['games', 'times'], timeList.route, {}));
  const input = form.getInputProps('timeId') as { error?: string; value: string[]; onChange: (ids: string[]) => void };
  return (
    <MultiSelect
      label={texts.timeId}
      description={gameTexts.secondsFromOneDraw}
      data={(data?.data ?? []).map(({ _id, timecount }) => ({ value: _id, label: `${formatCount(timecount)} s` }))}
      searchable
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': gameTexts.clearTimes }}
      nothingFoundMessage={gameTexts.noSuchTimeAdd}
      {...input}
      error={input.error ?? (error && <FailureText message={errorMessage(error)} />)}
    />
  );
}

interface PayFieldsProps {
  form: UseFormReturnType<GameForm>;
  gameId: string;
  exists: boolean;
}

function PayFields({ form, gameId, exists }: PayFieldsProps) {
  const usual = usualRules(form.values, gameId);
  if (!usual) return null;
  const typed = typedRules(form.values, gameId);
  const labels = new Map(usual.heads.map(({ name, label }) => [name, label]));
  return (
    <fieldset className={classes.set}>
      <legend>{gameTexts.pays}</legend>
      <Text c="dimmed" className={classes.hint}>
        {withNextDraw(gameTexts.pointsPerPointStaked, exists)}
      </Text>
      <AsideColumn>
        {typed ? (
          <div>
            <GameReturns rows={typed.returns.map((row) => ({ ...row, label: labels.get(row.bet) ?? row.bet }))} />
          </div>
        ) : (
          <Text c="dimmed">{gameTexts.returnsAreShownOnce}</Text>
        )}
      </AsideColumn>
      <div className={classes.pays}>
        {usual.heads.map(({ name, label, payHundredths }) => {
          const pay = String(payHundredths / PAY_SCALE);
          const path = `pays.${name}`;
          const isOwn = (form.values.pays[name] ?? '').trim() !== '';
          return (
            <Group key={name} gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                className={classes.pay}
                label={label}
                placeholder={pay}
                inputMode="decimal"
                {...form.getInputProps(path)}
                value={form.values.pays[name] ?? ''}
              />
              {isOwn ? (
                <Button
                  className={classes.usual}
                  variant="subtle"
                  size="compact-sm"
                  onClick={() => {
                    form.setFieldValue(path, '');
                    form.clearFieldError(path);
                  }}
                >
                  {gameTexts.defaultPay(pay)}
                  <VisuallyHidden>{` of ${label}`}</VisuallyHidden>
                </Button>
              ) : (
                <Text className={classes.usual} c="dimmed">
                  {gameTexts.defaultLabel(pay)}
                </Text>
              )}
            </Group>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Changes of an existing game apply from its next draw. */
function withNextDraw(text: string, exists: unknown): string {
  return exists ? `${text} ${gameTexts.changesApplyFromNext}` : text;
}
