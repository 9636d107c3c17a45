import { Loader } from '@mantine/core';
import classes from './LoadingOverlay.module.css';

interface LoadingOverlayProps {
  visible: boolean;
  label?: string;
}

/** Covers the nearest positioned ancestor. Appears with a delay, so short requests never show it. */
export function LoadingOverlay({ visible, label = 'Loading' }: LoadingOverlayProps) {
  if (!visible) return null;
  return (
    <output className={classes.overlay} aria-label={label}>
      <Loader size="sm" aria-hidden />
    </output>
  );
}
