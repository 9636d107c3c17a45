import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { fairPath } from '../../lib/paths.ts';
import { readDrawId } from './draw/fairDraw.ts';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

export function DrawIdForm({ initial = '', refusal = null }: { initial?: string; refusal?: string | null }) {
  const [text, setText] = useState(initial);
  const [error, setError] = useState(refusal);
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const drawId = readDrawId(text);
    if (drawId === null) setError(fairTexts.idWrong);
    else if (drawId === initial) setError(refusal);
    else window.location.assign(fairPath(drawId));
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={fairTexts.idLabel}
        description={fairTexts.idHelp}
        classNames={{ description: classes.help }}
        value={text}
        error={error}
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
      />
      <Button type="submit">{fairTexts.checkThisDraw}</Button>
    </form>
  );
}
