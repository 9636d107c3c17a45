import { Button, Checkbox, CheckboxGroup } from '@mantine/core';
import type { ReactNode } from 'react';
import { clearingTexts as texts } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';
import { CLEARING_MODELS, CLEARING_ORDER, type ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

interface ModelChoiceProps {
  value: ClearingModel[];
  onChange?: (models: ClearingModel[]) => void;
  error?: ReactNode;
}

export function ModelChoice({ value, onChange, error }: ModelChoiceProps) {
  return (
    <CheckboxGroup
      value={value}
      onChange={(models) => onChange?.(models)}
      label={
        <span className={classes.modelsHead}>
          {texts.models}
          <span>
            <Button variant="subtle" size="compact-xs" onClick={() => onChange?.([...CLEARING_ORDER])}>
              {texts.all}
            </Button>
            <Button variant="subtle" size="compact-xs" onClick={() => onChange?.([])}>
              {texts.none}
            </Button>
          </span>
        </span>
      }
      aria-invalid={Boolean(error)}
    >
      <div className={classes.models}>
        {SHOWN.map((model) => (
          <Checkbox
            key={model}
            value={model}
            label={CLEARING_MODELS[model].title}
            description={CLEARING_MODELS[model].text}
          />
        ))}
      </div>
    </CheckboxGroup>
  );
}

const SHOWN: readonly ClearingModel[] = [
  'ticket',
  'result',
  'draw',
  'commission',
  'user',
  'upcome',
  'refertransaction',
  'userlog',
  'usertransaction',
  'frequency',
];
