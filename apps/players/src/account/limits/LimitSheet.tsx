import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { call } from '../../lib/server/playerApi.ts';
import { useDraftBackup } from '../../lib/session/useDraftBackup.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/fields/Fields.tsx';
import { Checkbox } from '../../ui/fields/Options.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { limitText, limitTexts } from './limitTexts.ts';
import { changeTo, limitError, typedLimit } from './limitValue.ts';
import { useLimitChange } from './useLimitChange.ts';

const texts = limitTexts.sheet;

export function LimitSheet({ shown, onClose }: { shown: ShownLimit; onClose: () => void }) {
  const { limit, own, managers } = shown;
  const start = own === null ? '' : String(own);
  const [text, setText] = useState(start);
  useDraftBackup(`limit ${limit}`, text === start ? '' : text, setText);
  const [isNone, setNone] = useState(false);
  const [error, setError] = useState<string>();
  const { isBusy, failure, change } = useLimitChange();
  const wrong = isNone ? undefined : limitError(limit, text);
  const next = isNone ? null : typedLimit(text);
  const becomes = wrong === undefined ? changeTo(own, next) : null;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setError(wrong);
    if (wrong !== undefined || becomes === 'same') return;
    const body = { value: next };
    if (await change(() => call(accountRoutes.setLimit, { params: { limit }, body }))) onClose();
  };
  return (
    <Sheet title={sharedText(PROTECTION_LIMITS[limit])} onClose={onClose}>
      <form onSubmit={(event) => void send(event)} noValidate style={{ display: 'grid', gap: 16 }}>
        <p>{texts.now(limitText(limit, own))}</p>
        {!isNone && (
          <Field
            label={limit === 'minutesPerDay' ? texts.minutes : texts.points}
            inputMode={limit === 'minutesPerDay' ? 'numeric' : 'decimal'}
            autoComplete="off"
            value={text}
            error={error}
            onChange={(event) => {
              setText(event.target.value);
              setError(undefined);
            }}
          />
        )}
        {own !== null && (
          <Checkbox
            label={texts.none}
            checked={isNone}
            onChange={(event) => {
              setNone(event.target.checked);
              setError(undefined);
            }}
          />
        )}
        <output>{becomes !== null && texts.changes[becomes]}</output>
        {managers !== null && (next === null || next > managers) && (
          <p>{texts.lowerApplies(limitText(limit, managers))}</p>
        )}
        {failure !== null && <Notice tone="bad" isSaid title={failure} />}
        <Button kind="main" type="submit" isBusy={isBusy} aria-disabled={becomes === 'same' || undefined}>
          {becomes === 'looser' ? texts.request : texts.set}
        </Button>
      </form>
    </Sheet>
  );
}
