import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../commonTexts.ts';
import { errorMessage } from '../../lib/server/api.ts';
import {
  answerConfirmation,
  hostConfirmation,
  needsPassword,
  useConfirmation,
  type ConfirmedCall,
} from '../../lib/session/confirmation.ts';
import { dialogTexts } from '../formTexts.ts';
import { getSession } from '../../lib/session/session.ts';
import { confirmSelf } from '../../lib/session/sessionCalls.ts';

interface DialogPasswordOptions {
  opened: boolean;
  /** `always`: the dialog asks for nothing but the password. */
  confirms: ConfirmedCall | 'always' | undefined;
  busy: boolean;
  onClose: () => void;
}

export interface PasswordField {
  readonly value: string;
  readonly error: string | null;
  readonly isLocked: boolean;
  /** A sent call waits for the password. */
  readonly isAwaited: boolean;
  readonly change: (value: string) => void;
  /** A passkey has confirmed the call. */
  readonly accept: () => void;
}

const EMPTY = { value: '', error: null as string | null, status: 'open' as 'open' | 'checking' | 'accepted' };

/**
 * Asks for a code instead if there is a second factor. The field shows at once if the page holds no elevation, else
 * when the server asks for one; the call then continues. It stays until the dialog closes, so nothing moves under the
 * pointer.
 */
export function useDialogPassword({ opened, confirms, busy, onClose }: DialogPasswordOptions) {
  const [host] = useState(() => Symbol('dialog'));
  const hosts = opened && confirms !== undefined && confirms !== 'always';
  useEffect(() => (hosts ? hostConfirmation(host) : undefined), [hosts, host]);
  const isAwaited = useConfirmation(host) !== null;

  const [wasOpened, setWasOpened] = useState(false);
  const [isVisible, setVisible] = useState(false);
  const [field, setField] = useState(EMPTY);
  const [wasAwaited, setWasAwaited] = useState(false);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) {
      setVisible(confirms === 'always' || (confirms !== undefined && needsPassword(confirms)));
      setField(EMPTY);
    }
  }
  if (isAwaited !== wasAwaited) {
    setWasAwaited(isAwaited);
    if (isAwaited) {
      setVisible(true);
      setField(EMPTY);
    }
  }

  const cancel = useCancel(isAwaited, busy, onClose);
  const isOpen = useLatest(opened);
  const checking = useRef(false);

  /** True once the call may be sent. */
  async function confirm(): Promise<boolean> {
    if (!isVisible || field.status === 'accepted') return true;
    const { value } = field;
    if (value === '') {
      const isCode = getSession()?.user?.secondFactor;
      setField({ ...field, error: isCode ? dialogTexts.codeRequired : commonTexts.credit.passwordRequired });
      return false;
    }
    if (checking.current) return false;
    checking.current = true;
    setField({ value, error: null, status: 'checking' });
    try {
      await confirmSelf(getSession()?.user?.secondFactor ? { code: value } : { password: value });
      setField({ value, error: null, status: 'accepted' });
      return isOpen.current;
    } catch (error) {
      setField({ value, error: errorMessage(error), status: 'open' });
      return false;
    } finally {
      checking.current = false;
    }
  }

  return {
    ...field,
    isVisible,
    isAwaited,
    isLocked: field.status !== 'open',
    accept: () => setField({ ...EMPTY, status: 'accepted' }),
    change: (value: string) => setField({ ...EMPTY, value }),
    confirm,
    /** Lets the waiting call continue once the password is confirmed. */
    resume: () => void confirm().then((isConfirmed) => isConfirmed && answerConfirmation(true)),
    cancel,
    isBusy: field.status === 'checking' || (busy && !isAwaited),
  };
}

/** First cancels a call that waits for the password. */
function useCancel(isAwaited: boolean, busy: boolean, onClose: () => void): () => void {
  const isClosing = useRef(false);
  const close = useLatest(onClose);
  useEffect(() => {
    if (!isClosing.current || busy) return;
    isClosing.current = false;
    close.current();
  }, [busy, close]);
  return () => {
    isClosing.current = isAwaited && busy;
    if (isAwaited) answerConfirmation(false);
    if (!isClosing.current) onClose();
  };
}

function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
