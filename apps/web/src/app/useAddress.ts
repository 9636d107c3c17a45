import { useEffect, useMemo, useState } from 'react';
import type { Go } from '../lib/useGo.ts';

/** Where the browser is, and ways to elsewhere, for pages that do without the router. */
export function useAddress(): { address: { pathname: string; search: string }; go: Go } {
  const [address, setAddress] = useState(addressNow);
  useEffect(() => {
    const look = () => setAddress(addressNow());
    window.addEventListener('popstate', look);
    return () => window.removeEventListener('popstate', look);
  }, []);
  const go = useMemo(() => {
    const to = (path: string) => {
      window.history.pushState(null, '', path);
      setAddress(addressNow());
    };
    const replace = (path: string) => {
      window.history.replaceState(null, '', path);
      setAddress(addressNow());
    };
    return { to, replace, back: replace };
  }, []);
  return { address, go };
}

function addressNow(): { pathname: string; search: string } {
  const { pathname, search } = window.location;
  // As Fastify finds routes, with or without a slash at the end.
  return { pathname: pathname.replace(/(?<=.)\/$/, ''), search };
}
