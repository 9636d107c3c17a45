import { requestIdOf } from '@drawhouse/session/failure-request-ids';
import styles from './RequestLine.module.css';

/** Copyable request id, for the server log. Hidden without one. */
export function RequestLine({ said }: { said: unknown }) {
  const id = requestIdOf(said);
  return id ? (
    <small className={styles.request}>
      Request <code>{id}</code>
    </small>
  ) : null;
}
