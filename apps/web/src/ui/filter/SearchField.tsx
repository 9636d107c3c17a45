import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { filterTexts } from '../listTexts.ts';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Pixels. Full width on a narrow page. */
  width?: number | '100%';
}

const SETTLE_MS = 250;

export function SearchField({ label, value, onChange, width = 240 }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [shown, setKnown] = useState(value);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });
  if (shown !== value) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => report.current(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== '' && <CloseButton size="sm" aria-label={filterTexts.clearSearch} onClick={() => setText('')} />
      }
      w={{ base: '100%', sm: width }}
    />
  );
}
