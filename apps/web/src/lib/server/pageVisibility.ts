export function onVisible(act: () => void): () => void {
  const look = (): void => {
    if (document.visibilityState === 'visible') act();
  };
  window.addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    window.removeEventListener('focus', look);
    document.removeEventListener('visibilitychange', look);
  };
}
