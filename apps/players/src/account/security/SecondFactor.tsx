import type { Factor } from '@drawhouse/contract/auth/factors';
import { useState } from 'react';
import { deviceName } from '@drawhouse/contract/auth/device-name';
import { ApiError, isUnconfirmed } from '@drawhouse/session/api-client';
import { makePasskey } from '@drawhouse/session/passkeys';
import { sharedText } from '../../lib/inLanguage.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { refetch, useQuery } from '../../lib/server/useQuery.ts';
import { refreshSession } from '../../lib/session/sessionCalls.ts';
import { showToast } from '../../lib/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { accountRoutes } from '../accountRoutes.ts';
import { AppSheet, CodesSheet, type AppSetup } from './FactorSheets.tsx';
import { securityTexts } from './securityTexts.ts';
import styles from './MyAccountPage.module.css';

const texts = securityTexts.factor;
const FACTORS = 'factors';
/** False on pages without HTTPS. */
const HAS_PASSKEYS = 'PublicKeyCredential' in window;

type Open =
  | { readonly is: 'setup'; readonly setup: AppSetup }
  | { readonly is: 'codes'; readonly codes: readonly string[] }
  | { readonly is: 'removal'; readonly of: Factor }
  | { readonly is: 'renewal' };

/** Optional for players: passkeys, authenticator apps and their recovery codes. */
export function SecondFactor() {
  const { data, error, reload } = useQuery(FACTORS, async (signal) => {
    return (await call(accountRoutes.factors, {}, { signal, background: true })).data;
  });
  const [open, setOpen] = useState<Open | null>(null);
  const [isBusy, setBusy] = useState(false);
  const changed = () => {
    refetch(FACTORS);
    void refreshSession().catch(() => undefined);
  };
  const run = async (act: () => Promise<Open | null>) => {
    setBusy(true);
    try {
      setOpen(await act());
    } catch (failure) {
      // Browser messages are too technical to show.
      if (!(failure instanceof ApiError)) showToast(texts.passkeyFailed);
      else if (!isUnconfirmed(failure)) showToast(failureText(failure));
    }
    setBusy(false);
  };
  const begin = () => run(async () => ({ is: 'setup', setup: await call(accountRoutes.beginApp, {}) }));
  const onAdded = (codes: readonly string[] | undefined): Open | null => {
    changed();
    return codes ? { is: 'codes', codes } : null;
  };
  const remove = ({ number }: Factor) =>
    run(async () => {
      await call(accountRoutes.removeFactor, { params: { number: String(number) } });
      changed();
      return null;
    });
  const renew = () =>
    run(async () => {
      const { codes } = await call(accountRoutes.renewCodes, {});
      refetch(FACTORS);
      return { is: 'codes', codes };
    });
  return (
    <section className={styles.form} aria-labelledby="second-factor">
      <h2 id="second-factor">{texts.title}</h2>
      <p className={styles.more}>{texts.help}</p>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[72]} label={texts.loading} />}
      {data && data.length > 0 && (
        <ul className={styles.sessions}>
          {data.map((factor) => (
            <FactorRow
              key={factor.number}
              factor={factor}
              onAct={() => setOpen(factor.kind === 'codes' ? { is: 'renewal' } : { is: 'removal', of: factor })}
            />
          ))}
        </ul>
      )}
      {data && (
        <div className={styles.ways}>
          {HAS_PASSKEYS && (
            <Button isBusy={isBusy} onClick={() => void run(async () => onAdded(await addPasskey()))}>
              {texts.addPasskey}
            </Button>
          )}
          <Button isBusy={isBusy} onClick={() => void begin()}>
            {texts.add}
          </Button>
        </div>
      )}
      {open && (
        <OpenSheet
          open={open}
          isBusy={isBusy}
          onRenew={renew}
          onRemove={remove}
          onAdded={(codes) => setOpen(onAdded(codes))}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

/** The first factor comes with recovery codes. */
async function addPasskey(): Promise<readonly string[] | undefined> {
  const { setup, options } = await call(accountRoutes.beginPasskey, {});
  const name = sharedText(deviceName(navigator.userAgent));
  const passkey = await makePasskey(options);
  return (await call(accountRoutes.addPasskey, { body: { setup, name, passkey } })).codes;
}

interface OpenSheetProps {
  open: Open;
  isBusy: boolean;
  onRenew: () => Promise<void>;
  onRemove: (factor: Factor) => Promise<void>;
  onAdded: (codes: readonly string[] | undefined) => void;
  onClose: () => void;
}

function OpenSheet({ open, isBusy, onRenew, onRemove, onAdded, onClose }: OpenSheetProps) {
  if (open.is === 'setup') return <AppSheet setup={open.setup} onAdded={onAdded} onClose={onClose} />;
  if (open.is === 'codes') return <CodesSheet codes={open.codes} onClose={onClose} />;
  return open.is === 'renewal' ? (
    <Question title={texts.renew} isBusy={isBusy} onConfirm={onRenew} onClose={onClose}>
      {texts.renewQuestion}
    </Question>
  ) : (
    <Question title={texts.remove} isBusy={isBusy} onConfirm={() => onRemove(open.of)} onClose={onClose}>
      {texts.removeQuestion(open.of.name)}
    </Question>
  );
}

function FactorRow({ factor: { kind, name, madeAt, codesLeft }, onAct }: { factor: Factor; onAct: () => void }) {
  const isCodes = kind === 'codes';
  return (
    <li>
      <div>
        <strong>{isCodes ? texts.codes : name}</strong>
        <p className={styles.more}>
          {isCodes ? texts.codesLeft(codesLeft ?? 0) : texts.since(texts.kinds[kind], madeAt)}
        </p>
      </div>
      <Button {...(!isCodes && { 'aria-label': texts.removeNamed(name) })} onClick={onAct}>
        {isCodes ? texts.renew : texts.remove}
      </Button>
    </li>
  );
}

interface QuestionProps {
  title: string;
  children: string;
  isBusy: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

function Question({ title, children, isBusy, onConfirm, onClose }: QuestionProps) {
  return (
    <Sheet
      title={title}
      onClose={onClose}
      actions={
        <Button kind="main" isBusy={isBusy} onClick={() => void onConfirm()}>
          {title}
        </Button>
      }
    >
      <p>{children}</p>
    </Sheet>
  );
}
