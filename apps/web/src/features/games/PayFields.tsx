import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { Button, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { GameForm } from './gameForm.ts';
import { typedRules, usualRules } from './gameForm.ts';
import { GameReturns } from './GameReturns.tsx';
import classes from './PayFields.module.css';

interface PayFieldsProps {
  form: UseFormReturnType<GameForm>;
  gameId: string;
  exists: boolean;
}

/** What each bet pays, beside what the family pays, and what that gives back in theory, as it is typed. */
export function PayFields({ form, gameId, exists }: PayFieldsProps) {
  const usual = usualRules(form.values, gameId);
  if (!usual) return null;
  const typed = typedRules(form.values, gameId);
  const labels = new Map(usual.heads.map(({ name, label }) => [name, label]));
  return (
    <fieldset className={classes.set}>
      <legend>Pays</legend>
      <Text c="dimmed" className={classes.hint}>
        {`Points for each point laid, before the booster. Empty for the usual pay.${exists ? ' A change holds from the next draw on.' : ''}`}
      </Text>
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
                autoComplete="off"
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
                  {`Use the default, ${pay}`}
                  <VisuallyHidden>{` of ${label}`}</VisuallyHidden>
                </Button>
              ) : (
                <Text className={classes.usual} c="dimmed">{`Default ${pay}`}</Text>
              )}
            </Group>
          );
        })}
      </div>
      {typed ? (
        <GameReturns rows={typed.returns.map((row) => ({ ...row, label: labels.get(row.bet) ?? row.bet }))} />
      ) : (
        <Text c="dimmed">What it gives back is shown once the pays are right.</Text>
      )}
    </fieldset>
  );
}
