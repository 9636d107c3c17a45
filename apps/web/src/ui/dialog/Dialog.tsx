import type { DrawerProps, ModalProps } from '@mantine/core';
import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { prefetched } from '../../lib/lazyParts.ts';

// Few visits open a dialog.
const useDialogParts = prefetched(() => import('./dialogParts.ts'));
export const usePasswordPart = prefetched(() => import('./PasswordPart.tsx'));

export function Dialog(props: ModalProps) {
  const Modal = useDialogParts(props.opened)?.Modal;
  return Modal && <Opening {...props} Part={Modal} />;
}

export function Sheet(props: DrawerProps) {
  const Drawer = useDialogParts(props.opened)?.Drawer;
  return Drawer && <Opening {...props} Part={Drawer} />;
}

/** Mounts closed: only a change to open fades in and moves the focus. */
function Opening<Props extends { opened: boolean }>({ Part, ...props }: Props & { Part: (props: Props) => ReactNode }) {
  const [here, setHere] = useState(false);
  // After the touch is answered.
  useEffect(() => startTransition(() => setHere(true)), []);
  return <Part {...(props as unknown as Props)} opened={here && props.opened} />;
}
