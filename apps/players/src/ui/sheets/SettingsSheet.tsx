import { useState } from 'react';
import { Button } from '../Button.tsx';
import { Field } from '../fields/Fields.tsx';
import { Checkbox } from '../fields/Options.tsx';
import { Sheet } from './Sheet.tsx';
import { REMIND_MINUTES, USUAL_SETTINGS, type PlaySettings } from '../../lib/playSettings.ts';
import styles from './Sheet.module.css';
import { sheetTexts } from './sheetTexts.ts';

const texts = sheetTexts.settings;

interface SettingsSheetProps {
  settings: PlaySettings;
  onSave: (settings: PlaySettings) => void;
  onClose: () => void;
}

export function SettingsSheet({ settings, onSave, onClose }: SettingsSheetProps) {
  const [asks, setAsks] = useState(settings.askAbove !== null);
  const [above, setAbove] = useState(String(settings.askAbove ?? USUAL_SETTINGS.askAbove));
  const [minutes, setMinutes] = useState(settings.remindMinutes);
  const isRight = !asks || /^\d{1,9}(\.\d{1,2})?$/.test(above.trim());
  return (
    <Sheet
      title={texts.title}
      onClose={onClose}
      actions={
        <Button
          kind="main"
          aria-disabled={!isRight}
          onClick={() => {
            onSave({ askAbove: asks ? Number(above) : null, remindMinutes: minutes });
            onClose();
          }}
        >
          {texts.save}
        </Button>
      }
    >
      <Checkbox label={texts.confirm} checked={asks} onChange={(event) => setAsks(event.target.checked)} />
      {asks && (
        <Field
          label={texts.above}
          inputMode="decimal"
          value={above}
          onChange={(event) => setAbove(event.target.value)}
          error={isRight ? undefined : texts.wrongPoints}
        />
      )}
      <fieldset className={styles.minutes}>
        <legend>{texts.remind}</legend>
        {REMIND_MINUTES.map((each) => (
          <label key={each}>
            <input type="radio" name="remind" checked={each === minutes} onChange={() => setMinutes(each)} />
            <span>{texts.minutes(each)}</span>
          </label>
        ))}
      </fieldset>
    </Sheet>
  );
}
