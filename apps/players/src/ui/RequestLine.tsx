import { requestIdOf } from '@drawhouse/session/said-failures';
import styles from './RequestLine.module.css';

/** By what the log of the server has the call of which this was said, to be copied; nothing where it is of no call that the server has answered. */
export function RequestLine({ said }: { said: unknown }) {
  const id = requestIdOf(said);
  return id ? (
    <small className={styles.request}>
      Request <code>{id}</code>
    </small>
  ) : null;
}
