export { Drawer, Modal } from '@mantine/core';
export { PasswordPart } from './PasswordPart.tsx';
