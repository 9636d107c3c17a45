import { useEffect, useRef, type ComponentProps } from 'react';

const KEYBOARD_QUERY = '(hover: hover) and (pointer: fine)';

/**
 * Focuses the first field of a form that opens if it is empty and no touch keyboard would cover the form. Leaving that
 * field empty for the first time shows no error: the user did not choose it.
 */
export function useFirstField(): Pick<ComponentProps<'form'>, 'ref' | 'onBlurCapture'> {
  const form = useRef<HTMLFormElement>(null);
  const untouched = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!matchMedia(KEYBOARD_QUERY).matches) return undefined;
    // The shell focuses a new page first.
    const timer = setTimeout(() => {
      const first = form.current?.querySelector<HTMLInputElement>('input:not([type="radio"]), textarea, select');
      const active = document.activeElement;
      const isFree = active === document.body || active?.matches('main');
      if (!first || first.readOnly || first.value !== '' || !isFree) return;
      untouched.current = first;
      first.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, []);
  return {
    ref: form,
    onBlurCapture(event) {
      const left: EventTarget = event.target;
      if (left !== untouched.current) return;
      if (untouched.current.value === '') event.stopPropagation();
      untouched.current = null;
    },
  };
}
