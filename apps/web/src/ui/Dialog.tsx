import type { DrawerProps, ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { partOf } from '../lib/part.ts';

const useDialogs = partOf(() => import('./dialogParts.ts'));

/** A dialog in the middle of the page. Few visits open one, so what it is made of comes with the first use of the page. */
export function Dialog(props: ModalProps) {
  const Modal = useDialogs(props.opened)?.Modal;
  return Modal && <Opening {...props} Part={Modal} />;
}

/** A dialog from an edge of the page, fetched as {@link Dialog} is. */
export function Sheet(props: DrawerProps) {
  const Drawer = useDialogs(props.opened)?.Drawer;
  return Drawer && <Opening {...props} Part={Drawer} />;
}

/** Closed at first, whatever is asked: only what opens fades in, takes the focus, and gives it back. */
function Opening<Props extends { opened: boolean }>({ Part, ...props }: Props & { Part: (props: Props) => ReactNode }) {
  const here = useMounted();
  return <Part {...(props as unknown as Props)} opened={here && props.opened} />;
}
