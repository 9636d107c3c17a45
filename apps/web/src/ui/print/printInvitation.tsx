import { toString } from 'qrcode';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { formatDateTime } from '../../lib/format/format.ts';
import './paper.css';
import { printTexts } from '../listTexts.ts';
import { Slips } from './Slips.tsx';
import classes from './Slips.module.css';

interface Invitation {
  readonly of: string;
  readonly link: string;
  readonly expiresAt: string;
}

const texts = printTexts.invitation;

/** Prints a slip alone, whatever the page shows. */
export async function printInvitation({ of, link, expiresAt }: Invitation): Promise<void> {
  const qr = await toString(link, { type: 'svg', margin: 0, errorCorrectionLevel: 'L' });
  const facts = [
    { name: texts.of, value: of, isCode: true },
    { name: texts.until, value: formatDateTime(expiresAt) },
  ];
  const sheet = document.createElement('div');
  sheet.className = classes.alone!;
  sheet.dataset['alone'] = '';
  document.body.append(sheet);
  const root = createRoot(sheet);
  flushSync(() => root.render(<Slips label={texts.slips} slips={[{ key: of, facts, qr, hint: texts.hint }]} />));
  await Promise.all(Array.from(sheet.querySelectorAll('img'), (image) => image.decode()));
  window.addEventListener(
    'afterprint',
    () => {
      root.unmount();
      sheet.remove();
    },
    { once: true },
  );
  window.print();
}
