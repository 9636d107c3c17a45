import { Loader } from '@mantine/core';
import classes from './LoadingOverlay.module.css';

interface LoadingOverlayProps {
  visible: boolean;
  /** What is going on, for those who do not see the spinner. */
  label?: string;
}

/** Lies over its nearest positioned ancestor while a request is in flight; short ones never show it. */
export function LoadingOverlay({ visible, label = 'Loading' }: LoadingOverlayProps) {
  if (!visible) return null;
  return (
    <output className={classes.overlay} aria-label={label}>
      <Loader size="sm" aria-hidden />
    </output>
  );
}
